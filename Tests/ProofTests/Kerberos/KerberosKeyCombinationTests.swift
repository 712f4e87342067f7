import AuthScanBytes
import AuthScanSchemes
import Testing

@testable import AuthScanProof

@Suite struct KerberosKeyCombinationTests {
    private func key(_ etype: Int, _ text: String) throws -> KerberosKey {
        let octets = Array(text.utf8)
        let key = KerberosKey(
            password: text,
            salt: octets,
            etype: EncryptionType(rawValue: etype),
            parameters: nil
        )
        return try #require(key)
    }

    @Test(
        "RFC 6113 §A: KRB-FX-CF2 of two keys, made of the words that are their salts as well",
        arguments: [
            (17, "97df97e4b798b29eb31ed7280287a92a"),
            (18, "4d6ca4e629785c1f01baf55e2e548566b9617ae3a96868c337cb93b5e72b1c7b"),
            (23, "24d7f6b6bae4e5c00d2082c5ebab3672"),
        ]
    )
    func combines(etype: Int, digits: String) throws {
        let combined = KerberosKey.combination(of: try key(etype, "key1"), "a", try key(etype, "key2"), "b")
        #expect(combined?.value == (try hex(digits)))
    }

    @Test(
        "RFC 8009 §A: the pseudo-random function",
        arguments: [
            (
                19, "3705d96080c17728a0e800eab6e0d23c",
                "9d188616f63852fe86915bb840b4a886ff3e6bb0f819b49b893393d393854295"
            ),
            (
                20, "6d404d37faf79f9df0d33568d320669800eb4836472ea8a026d16b7182460c52",
                "9801f69a368c2bf675e59521e177d9a07f67efe1cfde8d3c8d6f6a0256e3b17db3c1b62ad1b8553360d17367eb1514d2"
            ),
        ]
    )
    func makesPseudoRandomOctets(etype: Int, digits: String, expected: String) throws {
        let key = try #require(KerberosKey(EncryptionType(rawValue: etype), try hex(digits)))
        #expect(key.pseudoRandom(Array("test".utf8)) == (try hex(expected)))
    }
}
