import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct NEGOEXMessageTests {
    /// Header, Random, ProtocolVersion, one scheme behind the fixed part.
    private func negotiation() throws -> [UInt8] {
        let scheme = "5c33530d eaf9 0d4d b2ec 4ae3786ec308"
        let header = "4e45474f45585453 00000000 05000000 60000000 70000000 000102030405060708090a0b0c0d0e0f"
        return try hex(
            header + String(repeating: "aa", count: 32) + "0000000000000000" + "60000000 0100 0000"
                + "00000000 0000 0000"
                + scheme
        )
    }

    @Test func readsOfferedSchemes() throws {
        let bytes = try negotiation()
        let messages = NEGOEXMessage.list(decoding: bytes[...])
        let message = try #require(messages.first)
        #expect(messages.count == 1 && message.typeName == "INITIATOR_NEGO" && message.sequenceNumber == 5)
        #expect(message.conversationID == "03020100-0504-0706-0809-0a0b0c0d0e0f" && message.length == bytes.count)
        #expect(message.authSchemes == ["0d53335c-f9ea-4d0d-b2ec-4ae3786ec308"])
        #expect(NEGOEXMessage.schemeName(message.authSchemes[0]) == "NegoEx/PKU2U")
    }

    @Test("two messages in a row, and a third that is cut")
    func readsUntilDamage() throws {
        let bytes = try negotiation()
        #expect(NEGOEXMessage.list(decoding: (bytes + bytes + bytes.dropLast())[...]).count == 2)
        for count in bytes.indices { #expect(NEGOEXMessage.list(decoding: bytes[..<count]).isEmpty) }
    }

    @Test("a token of NEGOEX under Negotiate is named and read")
    func isNamed() throws {
        let token = try NegotiateToken(decoding: try negotiation()[...])
        guard case .unknown(let unknown) = token, case .negoex(let messages)? = unknown.content() else {
            Issue.record("another kind of content")
            return
        }
        #expect(unknown.label == "NEGOEX" && messages.count == 1)
    }
}
