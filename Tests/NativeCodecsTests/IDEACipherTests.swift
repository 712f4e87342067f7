import Testing

@testable import AuthScanNativeCodecs

@Suite struct IDEACipherTests {
    private static func decrypt(_ blocks: String, key: String, vector: String = "0000000000000000") -> [UInt8]? {
        var output = [UInt8](repeating: 1, count: bytes(blocks).count)
        guard let cipher = IDEACipher(key: bytes(key)) else { return nil }
        cipher.decrypt(bytes(blocks), vector: bytes(vector), into: &output)
        return output
    }

    /// The example of Lai's dissertation (1992), and vectors 0 of sets 1 and 2 that NESSIE published.
    @Test(
        "published vectors",
        arguments: [
            ("00010002000300040005000600070008", "0000000100020003", "11fbed2b01986de5"),
            ("80000000000000000000000000000000", "0000000000000000", "b1f5f7f87901370f"),
            ("00000000000000000000000000000000", "8000000000000000", "8001000180008000"),
        ]
    )
    func decrypts(key: String, text: String, block: String) {
        #expect(Self.decrypt(block, key: key) == bytes(text))
    }

    @Test("NIST SP 800-38A §6.2: a block is masked with the one before it, the first with the vector")
    func chainsBlocks() {
        let text = Self.decrypt(
            "11fbed2b01986de511fbed2b01986de5",
            key: "00010002000300040005000600070008",
            vector: "ffffffffffffffff"
        )
        #expect(text == bytes("fffffffefffdfffc11fbed2a019a6de6"))
    }

    @Test("a key of another length is refused")
    func refusesKeys() {
        #expect(IDEACipher(key: []) == nil)
        #expect(IDEACipher(key: [UInt8](repeating: 0, count: 17)) == nil)
    }
}
