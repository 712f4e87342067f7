import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct PasteReaderTests {
    private func read(_ text: String) -> [PastedItem] { PasteReader.read(text.utf8) }

    private func field(_ name: String, _ value: String) -> PastedItem.Content {
        .field(name: name, value: Array(value.utf8))
    }

    @Test("what curl -v shows: marks, first lines, and only the fields that matter")
    func readsCurl() {
        let items = read(
            """
            * Connected to intranet.example (192.0.2.1) port 80
            > GET /a HTTP/1.1
            > Host: intranet.example
            > Authorization: Basic YTpi
            >
            < HTTP/1.1 401 Unauthorized
            < www-authenticate: Basic realm="a"\r
            <
            { [12 bytes data]
            """
        )
        #expect(
            items.map(\.content) == [
                .request(method: "GET", target: "/a"), field("Authorization", "Basic YTpi"), .response(status: 401),
                field("www-authenticate", "Basic realm=\"a\""),
            ]
        )
        #expect(items.map(\.sender) == [.client, .client, .server, .server] && items.map(\.line) == [2, 4, 6, 7])
    }

    @Test(
        "what tools put around a field goes",
        arguments: [
            "Authorization: Basic YTpi\\r\\n", "-H 'Authorization: Basic YTpi'", "\"Authorization: Basic YTpi\"",
            "header: Authorization: Basic YTpi", "\u{1B}[1mAuthorization\u{1B}[0m: Basic YTpi",
            "   Authorization:   Basic YTpi  ",
        ]
    )
    func unwraps(text: String) { #expect(read(text).map(\.content) == [field("Authorization", "Basic YTpi")]) }

    @Test("tokens in base64, base64url and hexadecimal digits are told by their bytes")
    func readsTokens() throws {
        let bytes = try hex("4e544c4d53535000 01000000 b7b208e2")
        let base64 = String(decoding: Base64.encode(bytes), as: UTF8.self)
        let texts = [
            (base64, PastedToken.Encoding.base64), (base64.replacing("=", with: ""), .base64url),
            (Hex.encode(bytes), .hex), ("4E 54 4C 4D 53 53 50 00 01 00 00 00 B7 B2 08 E2", .hex),
            ("0x4e:54:4c:4d:53:53:50:00:01:00:00:00:b7:b2:08:e2", .hex),
        ]
        for (text, encoding) in texts {
            guard case .token(let token)? = read(text).first?.content else {
                Issue.record("no token in \(text)")
                continue
            }
            #expect(token.encoding == encoding && token.bytes == bytes && token.scheme == .ntlm)
            #expect(token.credentials.ntlm?.negotiate != nil)
        }
    }

    @Test("a terminal's line breaks inside a token are mended, and tokens under each other stay apart")
    func joinsBrokenLines() throws {
        let token = RecordedToken.apReq
        let lines = stride(from: 0, to: token.utf8.count, by: 76).map { start in
            String(decoding: Array(token.utf8).dropFirst(start).prefix(76), as: UTF8.self)
        }
        let field = read("> Authorization: Negotiate " + lines.joined(separator: "\n"))
        #expect(field.map(\.content) == [self.field("Authorization", "Negotiate " + token)])
        let bare = read(lines.joined(separator: "\r\n"))
        #expect(bare.count == 1 && bare.first?.decoded?.messageName == "AP-REQ")
        #expect(read([token, token].joined(separator: "\n")).count == 2)
    }

    @Test("a message to a KDC with the length of a stream's record")
    func readsKDCRecord() throws {
        let message = try hex("7e0a 3008 a003020105 a10101")
        let record = [0, 0, 0, UInt8(message.count)] + message
        guard case .token(let token)? = read(Hex.encode(record)).first?.content else {
            Issue.record("no token")
            return
        }
        #expect(token.scheme == .negotiate && token.credentials.token68?.byteCount == 16)
    }

    @Test(
        "the times and numbers that curl can put before its marks go",
        arguments: ["12:00:01.123456 ", "[0-0] ", "[0-x] ", "[x-x] ", "12:00:01.123456 [12-3] "]
    )
    func readsTracedCurl(trace: String) {
        let lines = ["* Connected", "> GET /a HTTP/1.1", "> Authorization: Basic YTpi", "< HTTP/1.1 401 Unauthorized"]
        let items = read(lines.map { trace + $0 + "\n" }.joined())
        let credentials = field("Authorization", "Basic YTpi")
        #expect(items.map(\.content) == [.request(method: "GET", target: "/a"), credentials, .response(status: 401)])
        #expect(items.map(\.sender) == [.client, .client, .server])
    }

    @Test(
        "a lone field of another name is that field",
        arguments: [
            "x-ms-diagnostics: 4003000", "MicrosoftSharePointTeamServices: 16.0.0.5395", "X-Api-Key:a", "Cookie:a=b",
            "< Server: IIS",
        ]
    )
    func readsOtherField(line: String) throws {
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " || $0 == "<" } }
        let item = try #require(read(line).first)
        #expect(item.content == field(String(parts[0]), String(parts[1])))
        guard case .otherField? = item.decoded else {
            Issue.record("decoded as \(String(describing: item.decoded))")
            return
        }
        #expect(read(line + "\nAuthorization: Basic YTpi").map(\.content) == [field("Authorization", "Basic YTpi")])
    }

    @Test("a text without any known form is one field value, if it is one line")
    func fallsBack() {
        for text in ["alice:password", "https://a.example/b"] {
            #expect(read(text).map(\.content) == [.value(Array(text.utf8))])
        }
        #expect(read("hello\nthere").isEmpty && read("").isEmpty && read("\n \r\n").isEmpty)
    }

    @Test("a long text of broken lines is read in linear time")
    func staysLinear() {
        let line = String(repeating: "A", count: 76)
        let items = read("Negotiate " + [String](repeating: line, count: 60_000).joined(separator: "\n"))
        #expect(items.count >= 1)
    }

    @Test("an unnamed value is a challenge or credentials by its parameters")
    func tellsChallengesFromCredentials() {
        func isChallenge(_ text: String) -> Bool {
            if case .challenges? = read(text).first?.decoded { true } else { false }
        }
        #expect(
            isChallenge("Basic realm=\"a\"") && isChallenge("Digest realm=\"a\", nonce=\"b\"")
                && isChallenge("Bearer error=\"x\"")
        )
        #expect(!isChallenge("Basic YTpi") && !isChallenge("Digest username=\"a\", realm=\"a\", nonce=\"b\""))
    }
}

extension PastedContent {
    /// The name of the one Kerberos message that credentials carry.
    fileprivate var messageName: String? {
        if case .credentials(let credentials) = self { credentials.kerberos?.messageName } else { nil }
    }
}
