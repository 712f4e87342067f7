import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct FASTArmoredDataTests {
    /// RFC 6113 §5.4.2, by hand: the ticket of the request is the armor.
    private static let request = "a0223020a10d300ba003020110a1040402dd41a20f300da003020112a206040401020304"
    /// The same under an armor of its own.
    private static let armored =
        "a030302ea00c300aa003020101a10304016ea10d300ba003020110a1040402dd41a20f300da00302"
        + "0112a206040401020304"
    /// RFC 6113 §5.4.3.
    private static let reply = "a0133011a00f300da003020112a206040401020304"

    private func decode(_ digits: String) throws -> FASTArmoredData {
        try FASTArmoredData(decoding: try hex(digits)[...])
    }

    @Test("what each direction shows without keys")
    func decodes() throws {
        let request = try decode(Self.request)
        #expect(request.isRequest && request.armorType == nil && request.checksumType == 16)
        #expect(request.checksum == [0xDD, 0x41] && request.encPart.etype.rawValue == 18)
        let armored = try decode(Self.armored)
        #expect(armored.armorType == 1 && armored.armor == nil && armored.armorValue.byteCount == 1)
        let reply = try decode(Self.reply)
        #expect(!reply.isRequest && reply.checksum.isEmpty && reply.encPart.cipher.byteCount == 4)
    }

    @Test("no proper prefix is armored data", arguments: [request, armored, reply])
    func refusesPrefixes(digits: String) throws {
        let bytes = try hex(digits)
        for count in 0..<bytes.count {
            #expect(throws: DecodeError.self) { try FASTArmoredData(decoding: bytes.prefix(count)) }
        }
    }

    @Test("RFC 6113 §5.4.3: the key that strengthens the reply's")
    func readsResponse() throws {
        let response = try FASTResponse(decoding: try hex("3017a0023000a10c300aa003020111a103040105a303020107")[...])
        #expect(response.strengthenKey?.etype.rawValue == 17 && response.strengthenKey?.value.byteCount == 1)
        #expect(throws: DecodeError.self) { try FASTResponse(decoding: try hex("3000")[...]) }
    }
}
