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
