import AuthScanSessions
import TestPipeline
import Testing

@Suite struct OriginTableTests {
    private func origins(of transcript: String) throws -> [String] {
        try sessions(of: transcript).transactions.map(\.origin.description)
    }

    @Test("Host names the server, for each request anew")
    func followsHost() throws {
        let origins = try origins(
            of: """
                connection 1
                > GET /a
                  Host: one.example
                < 200
                > GET /b
                  Host: two.example:8080
                < 200
                > GET /c
                  Host: one.example
                < 200
                """
        )
        #expect(origins == ["http://one.example:80", "http://two.example:8080", "http://one.example:80"])
    }

    @Test("the target in absolute-form and the tunnel go before Host; without any, the endpoint counts")
    func fallsBack() throws {
        #expect(
            try origins(of: "connection 1\n> GET http://a.example/x\n  Host: b.example\n< 200")
                == ["http://a.example:80"]
        )
        #expect(
            try origins(of: "connection 1 to 192.0.2.30:3128\n> CONNECT a.example:80\n< 200\n> GET /x\n< 200").last
                == "http://a.example:80"
        )
        #expect(try origins(of: "connection 1\n> GET /x\n  -Host\n< 200") == ["http://198.51.100.20:80"])
    }
}
