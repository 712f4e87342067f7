import Testing
import TestSupport

@testable import AuthScanBytes

@Suite struct Base64Tests {
    private func decode(_ text: String, _ alphabet: Base64.Alphabet = .standard) throws(DecodeError) -> [UInt8] {
        try Base64.decode(Array(text.utf8)[...], alphabet: alphabet)
    }

    @Test(
        "the test vectors of RFC 4648 §10",
        arguments: [
            ("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9v", "foo"), ("Zm9vYg==", "foob"), ("Zm9vYmE=", "fooba"),
            ("Zm9vYmFy", "foobar"),
        ]
    )
    func decodesTestVectors(text: String, plain: String) throws {
        #expect(try decode(text) == Array(plain.utf8))
        let unpadded = text.filter { $0 != "=" }
        #expect(try decode(unpadded, .urlSafe) == Array(plain.utf8))
        #expect(Base64.decodeIgnoringPadding(Array(unpadded.utf8)[...]) == Array(plain.utf8))
    }

    @Test func alphabetsDifferInTwoLetters() throws {
        #expect(try decode("+/+/") == [0xFB, 0xFF, 0xBF])
        #expect(try decode("-_-_", .urlSafe) == [0xFB, 0xFF, 0xBF])
        #expect(throws: DecodeError.self) { try decode("-_-_") }
        #expect(throws: DecodeError.self) { try decode("+/+/", .urlSafe) }
    }

    @Test(
        "the offset is that of the first wrong letter",
        arguments: [
            ("QUJD\nQUJD", 4), ("QU D", 2), ("Q=JD", 1), ("====", 0), ("QUJ", 3), ("QUJDQ", 5), ("QUJ!", 3),
            ("QQ=A", 2),
            ("QR==", 1), ("QI==", 1), ("QUK=", 2), ("Q===", 1), ("QUJD====", 4),
        ]
    )
    func namesTheFirstWrongLetter(text: String, offset: Int) throws {
        let error = #expect(throws: DecodeError.self) { try decode(text) }
        #expect(error?.offset == offset)
    }

    @Test func offsetsCountFromTheSlice() {
        let error = #expect(throws: DecodeError.self) { try Base64.decode(Array("....QUJDQ!JD".utf8)[4...]) }
        #expect(error?.offset == 5)
    }

    @Test(
        "no length or content traps, and decoding never makes more bytes than it can",
        arguments: 0..<300 as Range<UInt64>
    )
    func survivesAnything(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let letters = Array("ABab01+/-_=\n.".utf8)
        let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in letters.randomElement(using: &random) ?? 0 }
        let strict = try? Base64.decode(text[...])
        #expect((strict?.count ?? 0) <= text.count / 4 * 3)
        if let strict { #expect(Base64.decodeIgnoringPadding(text[...]) == strict) }
    }

    @Test(
        "the quick way takes faultless text alone",
        arguments: ["Zg", "Zg=", "Zh==", "Zm9=", "Z", "Zm 9", "=", "==", "===="]
    )
    func leavesFaults(text: String) {
        #expect(Base64.decodeFaultless(Array(text.utf8).span, .standard) == nil)
    }

    @Test("every byte at every place of a group is a letter or none in both ways")
    func agreesAboutLetters() {
        for (alphabet, last) in [(Base64.Alphabet.standard, "+/"), (.urlSafe, "-_")] {
            let letters = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\(last)".utf8)
            for byte in UInt8.min...UInt8.max where byte != UInt8(ascii: "=") {
                for place in 0..<4 {
                    var text = Array("QUJDQUJD".utf8)
                    text[4 + place] = byte
                    #expect((Base64.decodeFaultless(text.span, alphabet) != nil) == letters.contains(byte))
                }
            }
        }
    }
}
