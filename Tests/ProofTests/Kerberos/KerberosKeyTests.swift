import AuthScanSchemes
import Testing

@testable import AuthScanProof

@Suite struct KerberosKeyTests {
    private func key(_ etype: Int, _ password: String, _ salt: [UInt8], _ parameters: String?) throws -> [UInt8]? {
        let parameters = try parameters.map { try hex($0) }
        return KerberosKey(
            password: password,
            salt: salt,
            etype: EncryptionType(rawValue: etype),
            parameters: parameters
        )?.value
    }

    @Test(
        "RFC 3962 §B",
        arguments: [
            (17, "00000001", "42263c6e89f4fc28b8df68ee09799f15"),
            (18, "00000001", "fe697b52bc0d3ce14432ba036a92e65bbb52280990a2fa27883998d72af30161"),
            (17, "000004b0", "4c01cd46d632d01e6dbe230a01ed642a"),
            (18, "000004b0", "55a6ac740ad17b4846941051e1e8b0a7548d93b0ab30a8bc3ff16280382b8c2a"),
        ]
    )
    func derivesFromPassword(etype: Int, rounds: String, digits: String) throws {
        #expect(try key(etype, "password", Array("ATHENA.MIT.EDUraeburn".utf8), rounds) == (try hex(digits)))
    }

    @Test(
        "RFC 8009 §A",
        arguments: [
            (19, "089bca48b105ea6ea77ca5d2f39dc5e7"),
            (20, "45bd806dbf6a833a9cffc1c94589a222367a79bc21c413718906e9f578a78467"),
        ]
    )
    func derivesWithSHA2(etype: Int, digits: String) throws {
        let salt = try hex("10df9dd783e5bc8acea1730e74355f61") + Array("ATHENA.MIT.EDUraeburn".utf8)
        #expect(try key(etype, "password", salt, "00008000") == (try hex(digits)))
        #expect(try key(etype, "password", salt, nil) == (try hex(digits)))
    }

    @Test("RFC 4757: RC4's key is the NT hash")
    func derivesForRC4() throws {
        #expect(try key(23, "foo", [], nil) == (try hex("ac8e657f83df82beea5d43bdaf7800cc")))
    }

    @Test("other types, and parameters that would take for ever, give no key")
    func refuses() throws {
        #expect(try key(16, "password", [], nil) == nil && key(18, "password", [], "00000000") == nil)
        #expect(try key(18, "password", [], "ffffffff") == nil)
        #expect(KerberosKey(EncryptionType(rawValue: 18), [1, 2, 3]) == nil)
    }

    @Test(
        "RFC 8009 §A: encryption, with the confounder taken off",
        arguments: [
            (
                19, "3705d96080c17728a0e800eab6e0d23c", "",
                "ef85fb890bb8472f4dab20394dca781dad877eda39d50c870c0d5a0a8e48c718"
            ),
            (
                19, "3705d96080c17728a0e800eab6e0d23c", "000102030405",
                "84d7f30754ed987bab0bf3506beb09cfb55402cef7e6877ce99e247e52d16ed4421dfdf8976c"
            ),
            (
                20, "6d404d37faf79f9df0d33568d320669800eb4836472ea8a026d16b7182460c52", "",
                "41f53fa5bfe7026d91faf9be959195a058707273a96a40f0a01960621ac612748b9bbfbe7eb4ce3c"
            ),
        ]
    )
    func decryptsSHA2(etype: Int, key: String, plain: String, cipher: String) throws {
        let key = try #require(KerberosKey(EncryptionType(rawValue: etype), try hex(key)))
        let bytes = try hex(cipher)
        #expect(key.decrypt(bytes, usage: 2) == (try hex(plain)))
        #expect(key.decrypt(bytes, usage: 3) == nil)
        #expect(key.decrypt([bytes[0] ^ 1] + bytes.dropFirst(), usage: 2) == nil)
        for count in bytes.indices { #expect(key.decrypt(Array(bytes[..<count]), usage: 2) == nil) }
    }
}
