import AuthScanNativeCodecs
import Testing

@Suite struct KeyedHashTests {
    @Test(
        "one key authenticates message after message as the one-time function does",
        arguments: [HashFunction.md5, .sha1, .sha256, .sha384, .sha512, .sha512Truncated256],
        [0, 1, 20, 48, 63, 64, 65, 127, 128, 129, 300]
    )
    func agrees(function: HashFunction, keyBytes: Int) throws {
        let key = (0..<keyBytes).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let keyedHash = try #require(KeyedHash(function, key: key))
        for count in [0, 1, 13, 64, 200, 0] {
            let message = [UInt8](repeating: 0xA5, count: count)
            #expect(keyedHash.hash(of: message) == function.hmac(of: message, key: key))
        }
    }
}
