import AuthScanReport

/// A command line that is wrong; the message says how to mend it.
struct UsageError: Error, Equatable {
    let message: String

    init(_ message: String) { self.message = message }

    /// A word that is none of the known ones, with the nearest of these.
    static func unknown(_ kind: String, _ word: String, known: [String]) -> UsageError {
        let hint = nearest(to: word, among: known).map { "; did you mean \($0)?" } ?? ""
        return UsageError("unknown \(kind) '\(PrintableText.visible(word))'\(hint)")
    }

    /// A value that is none of an option's few choices.
    static func choice(_ kind: String, _ word: String, choices: [String]) -> UsageError {
        UsageError(unknown(kind, word, known: choices).message + "; there are \(choices.joined(separator: ", "))")
    }
}
