import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct PreauthenticationDataTests {
    private func list(_ digits: String) throws -> [PreauthenticationData] {
        var reader = try DERReader(try hex(digits)[...])
        return try PreauthenticationData.list(decoding: try reader.readNode(as: "padata"))
    }

    @Test("RFC 4120 §5.2.7.5: the salt of each encryption type")
    func readsEtypeInfo() throws {
        let entry = "3016 a003020112 a10f 1b0d" + Hex.encode(Array("CORP.EXAMPLEa".utf8))
        let value = "3018" + entry
        let data = "3023 a103020113 a21c 041a" + value
        let list = try list("3030" + data + "3009 a103020102 a2020400")
        #expect(list.map(\.type.name) == ["PA-ETYPE-INFO2", "PA-ENC-TIMESTAMP"])
        guard case .etypeInfo(let types) = list[0].content else {
            Issue.record("another kind of content")
            return
        }
        #expect(types.map(\.etype.rawValue) == [18] && types[0].salt == Array("CORP.EXAMPLEa".utf8))
        #expect(list[1].content == .other && list[1].problem == nil)
    }

    @Test("RFC 4120 §5.2.7.2: the encrypted time")
    func readsEncryptedTimestamp() throws {
        let part = "3010 a003020117 a209 0407 01020304050607"
        let list = try list("301d 301b a103020102 a214 0412" + part)
        guard case .encryptedTimestamp(let encrypted) = list[0].content else {
            Issue.record("another kind of content")
            return
        }
        #expect(encrypted.etype.isRC4 && encrypted.cipher.byteCount == 7)
    }

    @Test("MS-KILE 2.2.7: what a service's account supports; and a salt without its encryption type")
    func readsSupportedTypes() throws {
        let list = try list(
            "302d300da104020200a5a2050403010203300ca103020103a20504034142"
                + "43300ea104020200a5a20604041c000100"
        )
        #expect(list[0].content == .other && list[0].problem != nil)
        #expect(list[1].content == .salt(Array("ABC".utf8)))
        #expect(list[2].content == .supportedEtypes(SupportedEncryptionTypes(rawValue: 0x1_001C)))
        let types = SupportedEncryptionTypes(rawValue: 0x8001_001C)
        #expect(
            types.names == [
                "RC4-HMAC", "AES128-CTS-HMAC-SHA1-96", "AES256-CTS-HMAC-SHA1-96", "FAST-supported", "bit 31",
            ]
        )
    }

    @Test("a value that does not follow its type is kept with its problem")
    func keepsMalformedValues() throws {
        let list = try list("300e 300c a103020102 a205 0403 300101")
        #expect(list[0].content == .other && list[0].problem != nil && list[0].value.byteCount == 3)
    }

    @Test("unknown types keep their number")
    func namesTypes() {
        #expect(PreauthenticationType(rawValue: 136).name == "PA-FX-FAST")
        #expect(PreauthenticationType(rawValue: 999).name == "unknown (999)")
    }
}
