import AuthScanReport

/// The line on a terminal that says how far the reading is, once it takes longer than a second.
struct ProgressLine {
    private let start: ContinuousClock.Instant
    private var lastShown: ContinuousClock.Instant
    private var isShown = false

    init(start: ContinuousClock.Instant = .now) {
        self.start = start
        lastShown = start
    }

    /// What to print now.
    ///
    /// - Parameters:
    ///   - path: The file being read.
    ///   - read: How many of its bytes were read.
    ///   - size: Its size in bytes; `nil` for a pipe.
    ///   - now: The time of the call.
    /// - Returns: `nil` where it is too early, after the start or after the last time.
    mutating func text(_ path: String, _ read: Int, _ size: Int?, at now: ContinuousClock.Instant) -> String? {
        guard start.duration(to: now) > .seconds(1), !isShown || lastShown.duration(to: now) > .milliseconds(200) else {
            return nil
        }
        lastShown = now
        isShown = true
        let name = path == "-" ? "standard input" : path.split(separator: "/").last.map { String($0) } ?? path
        let share = size.flatMap { $0 > 0 ? ", \(min(read, $0) * 100 / $0) %" : nil } ?? ""
        // A line that is wider than the terminal could not be overwritten.
        let shown = PrintableText.cut(PrintableText.visible(name), columns: 40)
        return ProgressLine.eraseLine + "reading \(shown): \(read >> 20) MB\(share) "
    }

    /// What takes the line away; `nil` where there is none.
    var erasure: String? { isShown ? ProgressLine.eraseLine : nil }

    /// Back to the line's start, and nothing behind it (ECMA-48 8.3.41, EL).
    private static let eraseLine = "\r\u{1B}[K"
}
