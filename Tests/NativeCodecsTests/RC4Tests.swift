import Testing

@testable import AuthScanNativeCodecs

@Suite struct RC4Tests {
    @Test("RFC 6229 §2")
    func encrypts() {
        let zeros = [UInt8](repeating: 0, count: 16)
        #expect(RC4.apply(zeros, key: bytes("0102030405")) == bytes("b2396305f03dc027ccc3524a0a1118a8"))
        #expect(
            RC4.apply(zeros, key: bytes("0102030405060708090a0b0c0d0e0f10"))
                == bytes("9ac7cc9a609d1ef7b2932899cde41b97")
        )
    }

    @Test("a key of no length, or beyond 256 bytes, gives nothing")
    func refusesKeys() {
        #expect(RC4.apply([1], key: []).isEmpty && RC4.apply([1], key: [UInt8](repeating: 0, count: 257)).isEmpty)
    }
}
