import Testing

@testable import AuthScanNativeCodecs

@Suite struct PasswordDerivationTests {
    @Test("RFC 6070 §2")
    func derives() {
        func key(_ rounds: Int) -> [UInt8] {
            PasswordDerivation.key(
                password: Array("password".utf8),
                salt: Array("salt".utf8),
                iterations: rounds,
                hash: .sha1,
                byteCount: 20
            )
        }
        #expect(key(1) == bytes("0c60c80f961f0e71f3a9b524af6012062fe037a6"))
        #expect(key(4096) == bytes("4b007901b765489abead49d926f721d065a429c1"))
        #expect(key(0).isEmpty && key(.max).isEmpty)
    }
}
