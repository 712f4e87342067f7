import AuthScanNativeCodecs
import TestSupport
import Testing

private func span<Result>(_ bytes: [UInt8], _ body: (RawSpan) -> Result) -> Result {
    // SAFETY: every byte of the array is initialised, and the span does not leave the closure.
    unsafe body(bytes.span.bytes)
}

@Suite struct CBCCipherTests {
    /// NIST SP 800-38A §F.2.2, the first two blocks.
    @Test func decryptsAES() {
        let cipher = CBCCipher(.aes128, key: bytes(hex: "2b7e151628aed2a6abf7158809cf4f3c"))
        var output = [UInt8](repeating: 0, count: 32)
        let isDone = span(bytes(hex: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2")) {
            cipher?.decrypt($0, vector: bytes(hex: "000102030405060708090a0b0c0d0e0f"), into: &output)
        }
        #expect(isDone == true)
        #expect(output == bytes(hex: "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"))
    }

    /// NIST SP 800-20 table A.1: with all three keys alike, triple DES is DES, which decrypts 8ca64de9c1b123a7 to zeros.
    @Test func decryptsTripleDES() {
        let cipher = CBCCipher(.tripleDES, key: bytes(hex: String(repeating: "0101010101010101", count: 3)))
        var output = [UInt8](repeating: 1, count: 8)
        let isDone = span(bytes(hex: "8ca64de9c1b123a7")) {
            cipher?.decrypt($0, vector: [UInt8](repeating: 0, count: 8), into: &output)
        }
        #expect(isDone == true)
        #expect(output == [UInt8](repeating: 0, count: 8))
    }

    /// The text of one block behind a vector of zeros; `nil` where the key or a length is refused.
    private static func decrypt(_ algorithm: CBCCipher.Algorithm, key: String, block: String) -> [UInt8]? {
        let cipher = CBCCipher(algorithm, key: bytes(hex: key))
        var output = [UInt8](repeating: 1, count: algorithm.blockBytes)
        let vector = [UInt8](repeating: 0, count: algorithm.blockBytes)
        let isDone = span(bytes(hex: block)) { cipher?.decrypt($0, vector: vector, into: &output) }
        return isDone == true ? output : nil
    }

    @Test(
        "RFC 2268 §5: RC2 with 16 bytes of key and 128 effective bits",
        .enabled(if: CBCCipher.Algorithm.rc2.isAvailable)
    )
    func decryptsRC2() {
        let text = Self.decrypt(.rc2, key: "88bca90e90875a7f0f79c384627bafb2", block: "2269552ab0f85ca6")
        #expect(text == [UInt8](repeating: 0, count: 8))
    }

    @Test(
        "RFC 4269 §B: SEED",
        .enabled(if: CBCCipher.Algorithm.seed.isAvailable),
        arguments: [
            (
                "00000000000000000000000000000000", "000102030405060708090a0b0c0d0e0f",
                "5ebac6e0054e166819aff1cc6d346cdb"
            ),
            (
                "000102030405060708090a0b0c0d0e0f", "00000000000000000000000000000000",
                "c11f22f20140505084483597e4370f43"
            ),
            (
                "4706480851e61be85d74bfb3fd956185", "83a2f8a288641fb9a4e9a5cc2f131c7d",
                "ee54d13ebcae706d226bc3142cd40d4a"
            ),
            (
                "28dbc3bc49ffd87dcfa509b11d422be7", "b41e6be2eba84a148e2eed84593c5ec7",
                "9b9b7bfcd1813cb95d0b3618f40f5122"
            ),
        ]
    )
    func decryptsSEED(key: String, text: String, block: String) {
        #expect(Self.decrypt(.seed, key: key, block: block) == bytes(hex: text))
    }

    @Test("IDEA, which is ours, is always there")
    func decryptsIDEA() {
        #expect(CBCCipher.Algorithm.idea.isAvailable)
        let text = Self.decrypt(.idea, key: "00010002000300040005000600070008", block: "11fbed2b01986de5")
        #expect(text == bytes(hex: "0000000100020003"))
        #expect(Self.decrypt(.idea, key: "0001", block: "11fbed2b01986de5") == nil)
        #expect(Self.decrypt(.idea, key: "00010002000300040005000600070008", block: "11fbed2b01986d") == nil)
    }

    @Test("lengths that are no whole blocks are refused")
    func refusesLengths() {
        let cipher = CBCCipher(.aes128, key: [UInt8](repeating: 0, count: 16))
        var output = [UInt8](repeating: 0, count: 32)
        let vector = [UInt8](repeating: 0, count: 16)
        #expect(span([UInt8](repeating: 0, count: 15)) { cipher?.decrypt($0, vector: vector, into: &output) } == false)
        #expect(span([UInt8](repeating: 0, count: 48)) { cipher?.decrypt($0, vector: vector, into: &output) } == false)
    }
}
