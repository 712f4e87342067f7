import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct UnknownTokenContentTests {
    private func node(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let inside = contents.flatMap { $0 }
        return [tag] + (inside.count < 128 ? [] : [0x81]) + [UInt8(inside.count)] + inside
    }

    private func text(_ text: String) -> [UInt8] { node(0x1B, Array(text.utf8)) }

    private func name(_ parts: String...) -> [UInt8] {
        node(0x30, node(0xA0, [2, 1, 2]), node(0xA1, node(0x30, parts.flatMap { text($0) })))
    }

    private var encrypted: [UInt8] { node(0x30, node(0xA0, [2, 1, 18]), node(0xA2, [4, 1, 0xFF])) }

    private var ticket: [UInt8] {
        node(
            0x61,
            node(
                0x30,
                node(0xA0, [2, 1, 5]),
                node(0xA1, text("CORP")),
                node(0xA2, name("krbtgt", "CORP")),
                node(0xA3, encrypted)
            )
        )
    }

    private var reply: [UInt8] {
        node(
            0x6B,
            node(
                0x30,
                node(0xA0, [2, 1, 5]),
                node(0xA1, [2, 1, 11]),
                node(0xA3, text("CORP")),
                node(0xA4, name("alice")),
                node(0xA5, ticket),
                node(0xA6, encrypted)
            )
        )
    }

    /// A mechanism's token in the framing of GSS-API.
    private func framed(_ mechanism: [UInt8], _ inner: [UInt8]) -> [UInt8] { node(0x60, node(0x06, mechanism), inner) }

    private func content(_ bytes: [UInt8]) throws -> UnknownTokenContent? {
        guard case .unknown(let token) = try NegotiateToken(decoding: bytes[...]) else { return nil }
        return token.content()
    }

    private static let iakerb: [UInt8] = [0x2B, 6, 1, 5, 2, 5]
    private static let userToUser: [UInt8] = [0x2A, 0x86, 0x48, 0x86, 0xF7, 0x12, 1, 2, 2, 3]

    @Test("draft-ietf-kitten-iakerb §4: a message to the KDC goes through the server")
    func readsIAKERB() throws {
        let header = node(0x30, node(0xA1, node(0x0C, Array("CORP".utf8))))
        guard case .iakerb(let realm, let message)? = try content(framed(Self.iakerb, [5, 1] + header + reply)) else {
            Issue.record("another kind of content")
            return
        }
        #expect(realm == "CORP" && message.messageName == "AS-REP" && message.reply?.cname.text == "alice")
    }

    @Test("user-to-user: the client asks for the server's own ticket, and gets it")
    func readsUserToUser() throws {
        let request = node(0x30, node(0xA0, [2, 1, 5]), node(0xA1, [2, 1, 16]), node(0xA3, text("CORP")))
        #expect(
            try content(framed(Self.userToUser, [4, 0] + request)) == .tgtRequest(serverName: nil, realm: "CORP")
        )
        let answer = node(0x30, node(0xA0, [2, 1, 5]), node(0xA1, [2, 1, 17]), node(0xA2, ticket))
        guard case .tgtReply(let ticket)? = try content(framed(Self.userToUser, [4, 1] + answer)) else {
            Issue.record("another kind of content")
            return
        }
        #expect(ticket.sname.text == "krbtgt/CORP")
    }

    @Test("MS-KKDCP 2.2.2: a message with a stream's length, in an envelope")
    func readsProxiedMessage() throws {
        let record = [0, 0, 0, UInt8(reply.count)] + reply
        let bytes = node(0x30, node(0xA0, node(0x04, record)), node(0xA1, text("CORP")))
        guard case .kdcProxy(let proxied)? = try content(bytes) else {
            Issue.record("another kind of content")
            return
        }
        #expect(proxied.targetDomain == "CORP" && proxied.message.messageName == "AS-REP")
    }

    @Test("what is cut is no content, and no fault of the token")
    func passesOverCutTokens() throws {
        let bytes = framed(Self.iakerb, [5, 1] + node(0x30, node(0xA1, node(0x0C, Array("CORP".utf8)))))
        #expect(try content(bytes) == nil)
        #expect(try content([0x42, 0x42, 0x42]) == nil)
    }
}
