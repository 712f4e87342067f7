import Testing

@testable import AuthScanNativeCodecs

@Suite struct HashFunctionTests {
    @Test(
        "FIPS 180-4 and RFC 1321: the hash of abc",
        arguments: [
            (HashFunction.md5, "900150983cd24fb0d6963f7d28e17f72"),
            (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (.sha512Truncated256, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ]
    )
    func hashes(function: HashFunction, digits: String) {
        #expect(function.digest(of: Array("abc".utf8)) == bytes(digits))
        #expect(function.digest(of: []).count == function.byteCount)
    }

    @Test("RFC 2202 §2, test case 2")
    func authenticates() {
        let code = HashFunction.md5.hmac(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(code == bytes("750c783e6ab0b503eaa86e310a5db738"))
    }
}
