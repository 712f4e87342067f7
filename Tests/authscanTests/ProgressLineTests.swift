import Testing

@testable import authscan

@Suite struct ProgressLineTests {
    private let start = ContinuousClock.now

    private func text(after duration: Duration, _ path: String = "a.pcap", _ read: Int = 5 << 20, of size: Int?)
        -> String?
    {
        var line = ProgressLine(start: start)
        return line.text(path, read, size, at: start.advanced(by: duration))
    }

    @Test func staysSilentForASecond() {
        #expect(text(after: .milliseconds(999), of: 10 << 20) == nil)
        #expect(text(after: .milliseconds(1001), of: 10 << 20) == "\r\u{1B}[Kreading a.pcap: 5 MB, 50 % ")
    }

    @Test func knowsNoShareOfAPipe() {
        #expect(text(after: .seconds(2), "-", of: nil) == "\r\u{1B}[Kreading standard input: 5 MB ")
        #expect(text(after: .seconds(2), of: 0) == "\r\u{1B}[Kreading a.pcap: 5 MB ")
        // The file grew while it was read.
        #expect(text(after: .seconds(2), of: 1 << 20)?.hasSuffix(", 100 % ") == true)
    }

    @Test("five times a second at most, and taken away at the end where it was shown")
    func isShownNowAndThen() {
        var line = ProgressLine(start: start)
        #expect(line.erasure == nil)
        #expect(line.text("a", 1, 2, at: start.advanced(by: .seconds(2))) != nil)
        #expect(line.text("a", 1, 2, at: start.advanced(by: .seconds(2) + .milliseconds(100))) == nil)
        #expect(line.text("a", 1, 2, at: start.advanced(by: .seconds(2) + .milliseconds(300))) != nil)
        #expect(line.erasure == "\r\u{1B}[K")
    }

    @Test("a file's name neither acts on the terminal nor runs over its edge")
    func tamesNames() throws {
        let name = "a\u{1B}[2J\u{202E}" + String(repeating: "長", count: 200)
        let line = try #require(text(after: .seconds(2), "/somewhere/" + name, of: 10 << 20))
        #expect(line.hasPrefix("\r\u{1B}[Kreading a\\u{1B}[2J\\u{202E}長"))
        #expect(line.hasSuffix("…: 5 MB, 50 % "))
        #expect(line.unicodeScalars.count < 70)
    }
}
