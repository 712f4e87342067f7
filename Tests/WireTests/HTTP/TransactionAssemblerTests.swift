import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@Suite struct TransactionAssemblerTests {
    /// Method, target and status of each transaction, in order.
    private static func summary(_ capture: WireCapture) -> [String] {
        capture.transactions.map { transaction in
            let request = transaction.request.map { "\($0.method) \($0.target)" } ?? "?"
            return "\(request) \(transaction.response.map { "\($0.status)" } ?? "?")"
        }
    }

    private static func transactions(of transcript: String, _ style: CaptureStyle = .plain) throws -> [String] {
        summary(try readCapture(try Transcript(transcript).capture(style).bytes))
    }

    static let mixed = """
        connection 1
        > GET /chunked
        < 200
          Transfer-Encoding: chunked
          body 500
        > HEAD /head
        < 200
          Content-Length: 5000
        > POST /form
          body 900
        < 204
        > GET /cached
        < 304
        > GET /close
        < 200
          body 300 until close
        closed by server
        connection 2
        > GET /other
        < 401
          WWW-Authenticate: Basic realm="a"
        closed by client
        """

    @Test(
        "any segmentation, order, duplication and overlap gives the same transactions",
        arguments: 0..<40 as Range<UInt64>
    )
    func isIndependentOfSegmentation(seed: UInt64) throws {
        let expected = [
            "GET /chunked 200", "HEAD /head 200", "POST /form 204", "GET /cached 304", "GET /close 200",
            "GET /other 401",
        ]
        for (name, style) in CaptureStyle.all(seed: seed) {
            #expect(try Self.transactions(of: Self.mixed, style) == expected, "\(name)")
        }
    }

    @Test("a request is paired again after its predecessor's response was lost")
    func recoversAfterALostResponse() throws {
        let seen = try Self.transactions(
            of: """
                connection 1
                > GET /a
                lost <
                < 200
                  body 40
                > GET /b
                < 404
                > GET /c
                < 200
                """
        )
        #expect(seen == ["GET /a ?", "GET /b 404", "GET /c 200"])
    }

    @Test("a response whose request was lost stands alone")
    func keepsResponseWithoutRequest() throws {
        let seen = try Self.transactions(of: "connection 1\n> GET /a\n< 200\nlost >\n> GET /b\n< 404\n> GET /c\n< 200")
        #expect(seen == ["GET /a 200", "? 404", "GET /c 200"])
    }

    @Test("interim responses are noted, the final one counts")
    func notesInterimResponses() throws {
        let transcript = "connection 1\n> POST /a\n  body 10\n< 100\n< 200\n"
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        #expect(capture.transactions.map(\.interimStatuses) == [[100]])
        #expect(Self.summary(capture) == ["POST /a 200"])
    }

    @Test("HTTP inside a CONNECT tunnel names the tunnel's authority")
    func readsInsideTunnels() throws {
        let transcript = """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:80
            < 200
            > GET /inside
            < 200
            """
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        #expect(Self.summary(capture) == ["CONNECT intranet.example:80 200", "GET /inside 200"])
        #expect(capture.transactions.map(\.tunnel) == [nil, "intranet.example:80"])
    }

    @Test("TLS is recognised, not read")
    func recognisesTLS() throws {
        let capture = try readCapture(try Transcript("connection 1\n> raw 16030100050102030405").capture().bytes)
        #expect(capture.transactions.isEmpty)
        #expect(capture.connections.map(\.applicationProtocol) == [.tls])
        #expect(capture.connections.map(\.isEncrypted) == [true])
    }

    @Test("a capture cut by the snapshot length keeps what it has of a head")
    func keepsCutHeads() throws {
        var style = CaptureStyle.plain
        style.snapshotLength = 120
        let transcript =
            "connection 1\n> GET /a\n  Authorization: NTLM {NEGOTIATE_MESSAGE}\n< 401\n  WWW-Authenticate: NTLM"
        let capture = try readCapture(try Transcript(transcript).capture(style).bytes)
        #expect(capture.truncatedPackets > 0)
        #expect(capture.transactions.first?.request?.isHeadComplete == false)
        #expect(capture.transactions.first?.request?.target == "/a")
    }

    @Test("a head of ten megabytes is bounded and reported as incomplete")
    func boundsHeads() throws {
        let long = String(repeating: "x", count: 400_000)
        let capture = try readCapture(
            try Transcript("connection 1\n> GET /a\n  Authorization: \(long)\n< 200").capture(.resegmented(seed: 1))
                .bytes
        )
        #expect(capture.transactions.first?.request?.isHeadComplete == false)
    }

    @Test(
        "an impossible Content-Length costs the body, not the connection",
        arguments: ["18446744073709551616", "-1", "5, 6"]
    )
    func survivesContentLength(value: String) throws {
        let seen = try Self.transactions(
            of: "connection 1\n> GET /a\n< 200\n  Content-Length: \(value)\n> GET /b\n< 404"
        )
        #expect(seen == ["GET /a 200", "GET /b 404"])
    }
}
