import AuthScanSessions
import AuthScanWire
import TestPipeline
import Testing

@Suite struct KDCTiesTests {
    static let negotiate = "connection 1\n> GET /app\n< 401\n  WWW-Authenticate: Negotiate\nclosed by client\n"
    static let user = "kdc > AS-REQ client=alice\nkdc < KRB-ERROR code=24\n"

    /// How many exchanges each session has.
    private func counts(_ transcript: String) throws -> [Int] {
        try sessions(of: transcript).sessions.map(\.kdcExchanges.count)
    }

    @Test("a user's ticket bears on the sessions with Negotiate around it")
    func tiesUser() throws {
        #expect(try counts(Self.user + Self.negotiate) == [1])
        #expect(try counts(Self.negotiate + Self.user) == [1])
        #expect(try counts(Self.user + "wait 10 min\n" + Self.negotiate) == [1, 0])
        #expect(try counts(Self.user + Self.negotiate.replacing("Negotiate", with: "Basic realm=\"r\"")) == [1, 0])
        #expect(try counts(Self.user.replacing("kdc >", with: "kdc from 192.0.2.11 >") + Self.negotiate) == [1, 0])
    }

    @Test(
        "a service's ticket bears on the session with its host",
        arguments: [
            ("HTTP/intranet.example", [1]), ("http/INTRANET.EXAMPLE", [1]), ("HTTP/intranet", [1]),
            ("HTTP/other.example", [0, 1]), ("cifs/intranet.example", [0, 1]), ("krbtgt/SUB.CORP.EXAMPLE", [1]),
        ]
    )
    func tiesService(name: String, expected: [Int]) throws {
        let service = "kdc > TGS-REQ service=\(name)\nkdc < TGS-REP service=\(name)\n"
        #expect(try counts(Self.negotiate + service) == expected)
    }

    @Test("another name right after an unknown one is the same server")
    func tiesRenamed() throws {
        let unknown = "kdc > TGS-REQ service=HTTP/intranet.example\nkdc < KRB-ERROR code=7\n"
        let other = "kdc > TGS-REQ service=HTTP/web03.example\nkdc < TGS-REP service=HTTP/web03.example\n"
        #expect(try counts(Self.negotiate + unknown + other) == [2])
        #expect(try counts(Self.negotiate + unknown + "wait 6 s\n" + other) == [1, 1])
    }

    @Test("what bears on no session makes one for each client and realm, in the order in which they begin")
    func groups() throws {
        let result = try sessions(
            of: """
                kdc > AS-REQ client=alice realm=A.EXAMPLE
                kdc > AS-REQ client=alice realm=B.EXAMPLE
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="app"
                kdc from 192.0.2.11 > AS-REQ client=bob realm=a.example
                """
        )
        #expect(result.sessions.map(\.isKDCTraffic) == [true, true, false, true])
        #expect(result.sessions.map(\.number) == [1, 2, 3, 4])
        #expect(result.sessions.map { "\($0.client)" }.last == "192.0.2.11")
        #expect(result.sessions.map(\.space.number) == [2, 3, 1, 2])
        #expect(
            result.spaces.map(\.origin.description).dropFirst() == [
                "kerberos://a.example:88", "kerberos://b.example:88",
            ]
        )
    }
}
