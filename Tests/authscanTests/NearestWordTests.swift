import Testing

@testable import authscan

@Suite struct NearestWordTests {
    @Test(
        "the word with the fewest differences wins, and a far one is none",
        arguments: [
            ("--formt", "--format"), ("--formta", "--format"), ("--quite", "--quiet"), ("--xyz", nil), ("", nil),
        ] as [(String, String?)]
    )
    func finds(word: String, expected: String?) {
        #expect(nearest(to: word, among: ["--format", "--quiet", "--output"]) == expected)
    }

    @Test("a word of any length is answered at once")
    func isBounded() {
        #expect(nearest(to: String(repeating: "x", count: 1_000_000), among: ["--format"]) == nil)
    }
}
