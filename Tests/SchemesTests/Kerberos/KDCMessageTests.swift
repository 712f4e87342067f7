import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct KDCMessageTests {
    /// `tag` around contents, with a short or a one-octet length.
    private func node(_ tag: UInt8, _ contents: [UInt8]...) -> [UInt8] {
        let inside = contents.flatMap { $0 }
        return [tag] + (inside.count < 128 ? [] : [0x81]) + [UInt8(inside.count)] + inside
    }

    private func name(_ parts: String...) -> [UInt8] {
        node(0x30, node(0xA0, [2, 1, 1]), node(0xA1, node(0x30, parts.flatMap { node(0x1B, Array($0.utf8)) })))
    }

    /// RFC 4120 §5.4.1, by hand.
    private var request: [UInt8] {
        let body = node(
            0x30,
            node(0xA0, [3, 5, 0, 0x40, 0x81, 0, 0x10]),
            node(0xA1, name("alice")),
            node(0xA2, node(0x1B, Array("CORP".utf8))),
            node(0xA3, name("krbtgt", "CORP")),
            node(0xA5, node(0x18, Array("20370913024805Z".utf8))),
            node(0xA7, [2, 1, 42]),
            node(0xA8, node(0x30, [2, 1, 18, 2, 1, 23]))
        )
        let padata = node(0x30, node(0x30, node(0xA1, [2, 2, 0, 128]), node(0xA2, [4, 0])))
        return node(
            0x6A,
            node(0x30, node(0xA1, [2, 1, 5]), node(0xA2, [2, 1, 10]), node(0xA3, padata), node(0xA4, body))
        )
    }

    @Test func readsRequest() throws {
        let message = try KDCMessage(decoding: request[...])
        guard case .request(let request) = message else {
            Issue.record("another kind of content")
            return
        }
        #expect(message.messageName == "AS-REQ" && request.padataTypes == [128] && request.kdcOptions == 0x4081_0010)
        #expect(request.cname?.text == "alice" && request.realm == "CORP" && request.sname?.text == "krbtgt/CORP")
        #expect(request.etypes.map(\.name) == ["aes256-cts-hmac-sha1-96", "rc4-hmac"] && request.nonce == 42)
    }

    @Test func readsReply() throws {
        let encrypted = node(0x30, node(0xA0, [2, 1, 18]), node(0xA2, [4, 1, 0xFF]))
        let realm = node(0x1B, Array("CORP".utf8))
        let ticket = node(
            0x61,
            node(0x30, node(0xA0, [2, 1, 5]), node(0xA1, realm), node(0xA2, name("HTTP", "h")), node(0xA3, encrypted))
        )
        let fields = [
            node(0xA0, [2, 1, 5]), node(0xA1, [2, 1, 13]), node(0xA3, realm), node(0xA4, name("alice")),
            node(0xA5, ticket),
            node(0xA6, encrypted),
        ]
        let message = try KDCMessage(decoding: node(0x6D, node(0x30, fields.flatMap { $0 }))[...])
        guard case .reply(let reply) = message else {
            Issue.record("another kind of content")
            return
        }
        #expect(message.messageName == "TGS-REP" && reply.ticket.sname.text == "HTTP/h" && reply.crealm == "CORP")
    }

    @Test func refusesEveryPrefix() {
        for count in 0..<request.count {
            #expect(throws: DecodeError.self) { try KDCMessage(decoding: request[..<count]) }
        }
    }
}
