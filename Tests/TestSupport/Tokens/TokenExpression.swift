/// What stands between the braces of a transcript: words, then `key=value` options.
///
///     expression = word *( SP ( word / key "=" value ) )
///     value      = *bare / DQUOTE *any DQUOTE / "{" expression "}"
struct TokenExpression {
    /// The words without `=`; the first says what kind of token it is.
    var words: [String] = []

    /// Everything behind the first word, as written.
    var remainder = ""

    private var options: [String: String] = [:]
    private let line: Int

    /// Takes an expression apart; nested ones stay text until they are asked for.
    init(_ text: some StringProtocol, line: Int) throws(TranscriptError) {
        self.line = line
        let trimmed = text.drop { $0 == " " }
        remainder = String(trimmed.drop { $0 != " " }.dropFirst())
        for part in try TokenExpression.parts(of: trimmed, line: line) {
            let key = part.prefix { $0.isLetter || $0.isNumber || $0 == "-" }
            if key.endIndex < part.endIndex, part[key.endIndex] == "=" {
                options[String(key)] = String(part[key.endIndex...].dropFirst())
            } else {
                words.append(part)
            }
        }
        guard !words.isEmpty else { throw TranscriptError(line: line, reason: "{} names no token") }
    }

    /// An error about this expression.
    func error(_ reason: String) -> TranscriptError { TranscriptError(line: line, reason: reason) }

    /// Takes an option's value without its quotes; `nil` where it was not given.
    mutating func take(_ key: String) -> String? {
        guard let value = options.removeValue(forKey: key) else { return nil }
        return value.count >= 2 && value.hasPrefix("\"") && value.hasSuffix("\"")
            ? String(value.dropFirst().dropLast()) : value
    }

    /// An option's value, which stays to be taken.
    func peek(_ key: String) -> String? { options[key] }

    /// Takes an option that is a number, in decimal or with `0x` before it.
    mutating func takeNumber(_ key: String) throws(TranscriptError) -> Int? {
        guard let value = take(key) else { return nil }
        let number = value.hasPrefix("0x") ? Int(value.dropFirst(2), radix: 16) : Int(value)
        guard let number, number >= 0 else { throw error("\(key)=\(value) is no number from 0 on") }
        return number
    }

    /// Takes an option that is bytes in hexadecimal.
    mutating func takeHex(_ key: String, count: Int) throws(TranscriptError) -> [UInt8]? {
        guard let value = take(key) else { return nil }
        guard let bytes = decodeHex(value), bytes.count == count else {
            throw error("\(key)=\(value) is not \(count) bytes in hexadecimal")
        }
        return bytes
    }

    /// Takes an option that is one of two words.
    mutating func takeFlag(_ key: String) throws(TranscriptError) -> Bool? {
        switch take(key) {
        case nil: return nil
        case "yes": return true
        case "no": return false
        case .some(let value): throw error("\(key)=\(value) is neither yes nor no")
        }
    }

    /// Takes an option that is itself a token in braces; `nil` where it was not given.
    mutating func takeNested(_ key: String) throws(TranscriptError) -> TokenExpression? {
        guard let value = options.removeValue(forKey: key) else { return nil }
        guard value.hasPrefix("{"), value.hasSuffix("}") else { throw error("\(key)= needs a token in braces") }
        return try TokenExpression(value.dropFirst().dropLast(), line: line)
    }

    /// Refuses the expression when options are left that nothing has taken.
    func finish() throws(TranscriptError) {
        guard let key = options.keys.sorted().first else { return }
        throw error("\(words[0]) has no option '\(key)'")
    }

    /// Splits at spaces that stand neither in quotes nor in braces.
    private static func parts(of text: some StringProtocol, line: Int) throws(TranscriptError) -> [String] {
        var parts: [String] = []
        var part = ""
        var depth = 0
        var isQuoted = false
        for character in text {
            if character == "\"" { isQuoted.toggle() }
            if !isQuoted, character == "{" { depth += 1 }
            if !isQuoted, character == "}" { depth -= 1 }
            if character == " ", depth == 0, !isQuoted {
                if !part.isEmpty { parts.append(part) }
                part = ""
            } else {
                part.append(character)
            }
        }
        guard depth == 0, !isQuoted else { throw TranscriptError(line: line, reason: "a brace or quote is not closed") }
        return part.isEmpty ? parts : parts + [part]
    }
}
