import Testing

@testable import AuthScanReport

@Suite struct PrintableTextTests {
    @Test("a message is escaped whole where it must not be cut")
    func keepsWhatMustNotBeCut() {
        let long = String(repeating: "a", count: 300)
        #expect(PrintableText.visible(long, limit: .max) == long)
        #expect(PrintableText.visible(long + "\u{202E}", limit: .max) == long + "\\u{202E}")
        #expect(PrintableText.visible(long) == String(long.prefix(200)) + "…")
    }

    @Test("width counts columns, not characters")
    func countsColumns() {
        #expect(PrintableText.width("abc") == 3)
        #expect(PrintableText.width("漢字") == 4)
        #expect(PrintableText.width("e\u{301}") == 1)
    }

    @Test("no line is wider than the terminal, and no word is lost")
    func wraps() {
        let words = (1...60).map { "word\($0)" }
        let text = PrintableText.wrap(words.joined(separator: " "), first: "    why     ", indent: 12)
        #expect(text.split(separator: "\n").allSatisfy { PrintableText.width(String($0)) <= 80 })
        #expect(text.split(whereSeparator: \.isWhitespace).dropFirst().map(String.init) == words)
    }

    @Test("words wrap by their columns, and line feeds are blanks")
    func wrapsByColumns() {
        #expect(PrintableText.wrap("ab cd\nef", columns: 5) == "ab cd\nef")
        #expect(PrintableText.wrap("ab\n\n cd", first: "> ", indent: 2) == "> ab cd")
        #expect(PrintableText.wrap("漢字 漢字", columns: 8) == "漢字\n漢字")
        #expect(PrintableText.wrap("\u{1B}[1mab\u{1B}[0m cd", columns: 5) == "\u{1B}[1mab\u{1B}[0m cd")
        #expect(PrintableText.wrap("abcdefgh ij", indent: 1, columns: 4) == "abcdefgh\n ij")
        #expect(PrintableText.wrap("", first: "x") == "x")
    }

    @Test("long and hostile text is cut and escaped")
    func cutsAndEscapes() {
        #expect(PrintableText.visible("a\u{1B}b") == "a\\u{1B}b")
        #expect(PrintableText.visible(String(repeating: "x", count: 500)).hasSuffix("x…"))
    }
}
