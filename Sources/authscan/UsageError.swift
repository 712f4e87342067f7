/// A command line that is wrong; the message says how to mend it.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }

    /// A word that is none of the known ones, with the nearest of these.
    static func unknown(_ kind: String, _ word: String, known: [String]) -> UsageError {
        let hint = nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown \(kind) '\(printable(word))'\(hint)")
    }

    /// A value that is none of an option's few choices.
    static func choice(_ kind: String, _ word: String, choices: [String]) -> UsageError {
        UsageError(unknown(kind, word, known: choices).message + "; there are \(choices.joined(separator: ", "))")
    }
}

/// A word of the command line, safe to print.
func printable(_ word: String) -> String {
    String(word.prefix(100).map { $0.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F } ? "?" : $0 })
}
