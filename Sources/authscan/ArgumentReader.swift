/// The arguments that a command has not taken yet.
struct ArgumentReader {
    private var rest: ArraySlice<String>
    private var isOptionsEnded = false

    init(_ arguments: [String]) { rest = arguments[...] }

    /// One argument, told apart from the others.
    enum Argument: Equatable {
        /// `--name`, with the value of `--name=value`.
        case option(name: String, value: String?)
        /// Anything else; `-` is a word.
        case word(String)
    }

    /// The next argument; `nil` at the end.
    ///
    /// After `--` everything is a word.
    mutating func next() -> Argument? {
        guard let argument = rest.popFirst() else { return nil }
        if !isOptionsEnded, argument == "--" {
            isOptionsEnded = true
            return next()
        }
        guard !isOptionsEnded, argument.hasPrefix("-"), argument != "-" else { return .word(argument) }
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return .option(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : nil)
    }

    /// The value of an option: behind its `=`, or the argument that follows.
    mutating func value(of name: String, _ attached: String?) throws(UsageError) -> String {
        if let attached { return attached }
        guard let value = rest.popFirst() else { throw UsageError("\(name) needs a value") }
        return value
    }
}

/// A command line that is wrong; the message says how to mend it.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }

    /// A word that is none of the known ones, with the nearest of these.
    static func unknown(_ kind: String, _ word: String, known: [String]) -> UsageError {
        let hint = nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown \(kind) '\(printable(word))'\(hint)")
    }
}

/// The exit statuses that scripts may rely on.
enum ExitStatus: Int32 {
    /// Analysed; no finding at or above `--fail-on`.
    case success = 0
    /// Analysed; at least one finding at or above `--fail-on`.
    case findings = 1
    /// The command line is wrong.
    case usage = 64
    /// No input could be read at all.
    case unreadableInput = 66
    /// A file could not be written, or another trouble of the system.
    case systemError = 70
}

/// The known word with the smallest edit distance; `nil` where none is near.
func nearest(to word: String, among known: [String]) -> String? {
    known.map { (word: $0, distance: editDistance(Array(word.utf8), Array($0.utf8))) }
        .filter { $0.distance <= max(2, word.utf8.count / 3) }
        .min { $0.distance < $1.distance }?.word
}

/// How many letters must be put in, taken out or replaced to make one word of the other.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard left.count < 100 else { return .max }
    var row = Array(0...right.count)
    for (index, letter) in left.enumerated() {
        var diagonal = row[0]
        row[0] = index + 1
        for column in right.indices {
            let replaced = diagonal + (letter == right[column] ? 0 : 1)
            diagonal = row[column + 1]
            row[column + 1] = min(replaced, row[column] + 1, diagonal + 1)
        }
    }
    return row[right.count]
}

/// A word of the command line, safe to print.
func printable(_ word: String) -> String {
    String(word.prefix(100).map { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? "?" : $0 })
}
