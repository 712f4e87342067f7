import Testing

@testable import AuthScanWire

@Suite struct HeadParserTests {
    /// What is kept of a head that begins behind a byte, and where it ends.
    private func parse(_ text: String, isResponse: Bool = false) -> (end: Int?, lines: [String]) {
        var parser = HeadParser(valueLimit: 1000)
        var head = MessageHead()
        let end = withBytes(of: Array("\n\(text)".utf8)) {
            parser.parse($0, from: 1, isResponse: isResponse, into: &head)
        }
        let fields = FieldLines(head.fields, in: parser.takeBuffers())
        return (end.map { $0 - 1 }, end == nil ? [] : fields.all.map { "\($0.name)=\(FieldLines.text($0.value))" })
    }

    @Test("lines end with a line feed, with or without a carriage return before it", arguments: ["\r\n", "\n"])
    func readsLines(lineEnd: String) {
        let lines = ["GET / HTTP/1.1", "Host:a", "X-Other: b", "Cookie: \t c d \t", "Via:", "", "Date: e"]
        let text = lines.joined(separator: lineEnd)
        let (end, kept) = parse(text)
        #expect(end == text.utf8.count - "Date: e".utf8.count)
        #expect(kept == ["Host=a", "Cookie=c d", "Via="])
    }

    @Test("a head without its empty line is none", arguments: ["", "\r", "Host: b", "Host: b\r\n", "Host: b\r\n\r"])
    func needsEmptyLine(rest: String) { #expect(parse("GET / HTTP/1.1\r\nHost: a\r\n" + rest).end == nil) }

    @Test("folded lines are one value, and the line behind them another")
    func unfolds() {
        let (_, kept) = parse("GET / HTTP/1.1\r\nCookie: a\r\n  b\r\n\t\r\n c\r\nX-Other: d\r\n e\r\nHost: f\r\n\r\n")
        #expect(kept == ["Cookie=a b c", "Host=f"])
    }

    @Test("values that come again are the same each time")
    func repeatsValues() {
        let line = "Server: a value that is long enough to be remembered\r\n"
        let (_, kept) = parse("HTTP/1.1 200 OK\r\n" + line + line + "Via: b\r\n" + line + "\r\n", isResponse: true)
        let expected = "Server=a value that is long enough to be remembered"
        #expect(kept == [expected, expected, "Via=b", expected])
    }

    @Test("wherever the lines end, they are the same", arguments: 0..<40)
    func readsLinesOfAnyLength(length: Int) {
        let value = String(repeating: "v", count: length)
        let (_, kept) = parse("GET /\(value) HTTP/1.1\r\nX-Other: \(value)\r\nHost: \(value)\r\nVia: b\r\n\r\n")
        #expect(kept == ["Host=\(value)", "Via=b"])
    }
}
