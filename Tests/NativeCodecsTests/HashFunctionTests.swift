import AuthScanNativeCodecs
import TestSupport
import Testing

@Suite struct HashFunctionTests {
    /// RFC 1321 §A.5, and FIPS 180-4's examples: the hash of "abc".
    @Test(arguments: [
        (HashFunction.md5, "900150983cd24fb0d6963f7d28e17f72"),
        (.sha1, "a9993e364706816aba3e25717850c26c9cd0d89d"),
        (.sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (.sha512Truncated256, "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        (.sha384, "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"),
    ])
    func hashes(function: HashFunction, digits: String) {
        #expect(function.digest(of: Array("abc".utf8)) == bytes(hex: digits))
        #expect(function.digest(of: []).count == function.byteCount)
    }

    /// RFC 4231 §4.3.
    @Test func authenticates() {
        let message = Array("what do ya want for nothing?".utf8)
        #expect(
            HashFunction.sha256.hmac(of: message, key: Array("Jefe".utf8))
                == bytes(hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        )
    }
}
