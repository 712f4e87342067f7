import AuthScanNativeCodecs
import Testing

@testable import AuthScanProof

@Suite struct CiphertextStealingTests {
    @Test(
        "RFC 3962 §B",
        arguments: [
            (17, "c6353568f2bf8cb4d8a580362da7ff7f97"),
            (31, "fc00783e0efdb2c1d445d4c8eff7ed2297687268d6ecccc0c07b25e25ecfe5"),
            (32, "39312523a78662d5be7fcbcc98ebf5a897687268d6ecccc0c07b25e25ecfe584"),
            (47, "97687268d6ecccc0c07b25e25ecfe584b3fffd940c16a18c1b5549d2f838029e39312523a78662d5be7fcbcc98ebf5"),
            (48, "97687268d6ecccc0c07b25e25ecfe5849dad8bbb96c4cdc03bc103e1a194bbd839312523a78662d5be7fcbcc98ebf5a8"),
        ]
    )
    func decrypts(count: Int, digits: String) throws {
        let text = "I would like the General Gau's Chicken, please, and wonton soup."
        let plain = CiphertextStealing.decrypt(try hex(digits)[...], with: .aes128, key: Array("chicken teriyaki".utf8))
        #expect(plain == Array(text.utf8.prefix(count)))
    }

    @Test func refusesLessThanABlock() {
        #expect(CiphertextStealing.decrypt([1, 2], with: .aes128, key: [UInt8](repeating: 0, count: 16)).isEmpty)
    }
}
