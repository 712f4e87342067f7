import Testing

@testable import AuthScanNativeCodecs

@Suite struct BlockCipherTests {
    @Test("FIPS 197, appendix C")
    func encryptsAES() {
        let plain = bytes("00112233445566778899aabbccddeeff")
        let short = bytes("000102030405060708090a0b0c0d0e0f")
        let long = bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        #expect(BlockCipher.aes128.encrypt(plain, key: short) == bytes("69c4e0d86a7b0430d8cdb78070b4c55a"))
        #expect(BlockCipher.aes256.encrypt(plain, key: long) == bytes("8ea2b7ca516745bfeafc49904b496089"))
        #expect(BlockCipher.aes128.decrypt(bytes("69c4e0d86a7b0430d8cdb78070b4c55a"), key: short) == plain)
    }

    @Test("FIPS 81: single DES")
    func encryptsDES() {
        let key = bytes("0123456789abcdef")
        #expect(BlockCipher.des.encrypt(bytes("4e6f772069732074"), key: key) == bytes("3fa40e8a984d4815"))
    }

    @Test("lengths that fit no block or key give nothing")
    func refusesLengths() {
        #expect(BlockCipher.aes128.encrypt([1, 2], key: [UInt8](repeating: 0, count: 16)).isEmpty)
        #expect(BlockCipher.aes128.encrypt([UInt8](repeating: 0, count: 16), key: [1]).isEmpty)
        #expect(BlockCipher.des.decrypt([], key: [UInt8](repeating: 0, count: 8)).isEmpty)
    }
}
