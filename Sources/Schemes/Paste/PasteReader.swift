import AuthScanBytes

/// Finds header fields and tokens in text that a person pasted: one field, one token, or what a terminal showed.
///
/// A line is taken for what its form says, in this order: the first line of a message, a header field that has to do with
/// authentication, a field value that starts with the name of a scheme, a token in base64, base64url or hexadecimal digits.
/// Lines of any other form are passed over, unless the text has nothing else. What tools put before or behind a line goes
/// first: curl's times, numbers and marks, the colours of a terminal, quotes, and Wireshark's `\r\n`. A line that can only be the rest of a
/// token is joined to the line before it, because terminals break long lines.
public struct PasteReader {
    /// How many items are kept.
    static let itemLimit = 10_000

    /// How long a token that is put together of lines may become, in bytes.
    static let tokenLimit = 1 << 20

    private var items: [PastedItem] = []
    private var line = 0
    /// What belongs to the last item's token, from the lines behind it.
    private var tail: [UInt8] = []
    /// Whether the next line may be more of the last item's token.
    private var tailCanGoOn = false
    /// The last line of the last item.
    private var lastLine = 0

    /// The items of a text, in order.
    ///
    /// Linear in the text's length.
    public static func read(_ text: some Sequence<UInt8>) -> [PastedItem] {
        let bytes = Array(text)
        var reader = PasteReader()
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) { reader.read(line: line) }
        reader.joinTail()
        if reader.items.isEmpty, let only = reader.lone(bytes) { return [only] }
        return reader.items
    }

    private mutating func read(line bytes: ArraySlice<UInt8>) {
        line += 1
        guard items.count < Self.itemLimit else { return }
        let text = PastedLine(bytes)
        guard !text.octets.isEmpty, !text.isComment else { return }
        if text.sender == nil, joins(text.octets) { return }
        if let content = firstLine(text.octets) ?? field(text.octets) ?? value(text.octets) ?? token(text.octets) {
            append(content, from: text.sender)
        }
    }

    /// A text that has no line of a known form is taken as one token, as one field that has nothing to do with
    /// authentication, or as one field value, whatever it is.
    private func lone(_ bytes: [UInt8]) -> PastedItem? {
        let lines = bytes.split(separator: 0x0A).enumerated()
            .map { (number: $0.offset + 1, line: PastedLine($0.element)) }
            .filter { !$0.line.octets.isEmpty }
        guard let first = lines.first, lines.count == 1 else { return nil }
        let octets = first.line.octets
        let content =
            PastedToken(octets).map { .token($0) } ?? otherField(octets) ?? PastedItem.Content.value(Array(octets))
        return PastedItem(content: content, sender: first.line.sender, line: first.number)
    }

    // MARK: - Forms of lines

    /// The first line of a message: `GET /a HTTP/1.1` or `HTTP/1.1 401 Unauthorized`.
    private func firstLine(_ line: ArraySlice<UInt8>) -> PastedItem.Content? {
        let words = line.split(separator: 0x20, maxSplits: 2)
        guard words.count >= 2 else { return nil }
        if words[0].starts(with: "HTTP/".utf8), words[1].count == 3, let status = Int(fieldText(words[1])) {
            return .response(status: status)
        }
        guard words.count == 3, words[2].starts(with: "HTTP/".utf8), words[2].count <= 8,
            words[0].allSatisfy({ (0x41...0x5A).contains($0) })
        else { return nil }
        return .request(method: fieldText(words[0]), target: fieldText(words[1]))
    }

    private func field(_ line: ArraySlice<UInt8>) -> PastedItem.Content? {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.startIndex < colon else { return nil }
        let name = fieldText(line[..<colon])
        guard Self.names.contains(name.lowercased()) else { return nil }
        return .field(name: name, value: Array(line[(colon + 1)...].drop(while: \.isBlank)))
    }

    /// A field of any other name.
    ///
    /// `alice:password` and `https://…` have a colon as well: a name without a hyphen counts
    /// where a blank follows the colon, or where it is known.
    private func otherField(_ line: ArraySlice<UInt8>) -> PastedItem.Content? {
        let letters = line.prefix { $0.isTokenCharacter }
        guard !letters.isEmpty, letters.endIndex < line.endIndex, line[letters.endIndex] == UInt8(ascii: ":") else {
            return nil
        }
        let value = line[(letters.endIndex + 1)...]
        let name = fieldText(letters)
        guard value.first?.isBlank ?? true || name.contains("-") || SecretFields.isSecret(name) else { return nil }
        return .field(name: name, value: Array(value.drop(while: \.isBlank)))
    }

    /// A value that starts with the name of a known scheme, and has more behind it.
    private func value(_ line: ArraySlice<UInt8>) -> PastedItem.Content? {
        let name = line.prefix { $0.isTokenCharacter }
        guard !name.isEmpty, name.count <= 24, name.endIndex < line.endIndex, line[name.endIndex].isBlank,
            AuthenticationScheme(rawValue: fieldText(name)).isKnown
        else { return nil }
        return .value(Array(line))
    }

    /// A token that its bytes tell from a word.
    private func token(_ line: ArraySlice<UInt8>) -> PastedItem.Content? {
        PastedToken(line).flatMap { $0.scheme == nil ? nil : .token($0) }
    }

    // MARK: - Broken lines

    /// Joins a line to the token before it, if it is the rest of that.
    private mutating func joins(_ line: ArraySlice<UInt8>) -> Bool {
        guard tailCanGoOn, self.line == lastLine + 1, tail.count < Self.tokenLimit,
            line.allSatisfy({ $0.isToken68Character || $0 == UInt8(ascii: "=") }), !startsToken(line)
        else { return false }
        tail += line
        lastLine = self.line
        tailCanGoOn = line.last != UInt8(ascii: "=")
        return true
    }

    /// Gives the last item what was joined to it, once for all of its lines.
    private mutating func joinTail() {
        defer { tail = [] }
        guard !tail.isEmpty, let last = items.indices.last else { return }
        switch items[last].content {
        case .field(let name, let value): items[last].content = .field(name: name, value: value + tail)
        case .value(let value): items[last].content = .value(value + tail)
        case .token(let token):
            if let whole = PastedToken((token.text + tail)[...]) { items[last].content = .token(whole) }
        case .request, .response: break
        }
    }

    private mutating func append(_ content: PastedItem.Content, from sender: PastedItem.Sender?) {
        joinTail()
        items.append(PastedItem(content: content, sender: sender, line: line))
        lastLine = line
        switch content {
        case .field(_, let value), .value(let value): tailCanGoOn = Self.endsInToken(value)
        case .token(let token): tailCanGoOn = Self.endsInToken(token.text)
        case .request, .response: tailCanGoOn = false
        }
    }

    /// Whether a value ends in a token that can go on: forty letters or more without white space and without padding.
    private static func endsInToken(_ value: [UInt8]) -> Bool {
        value.count >= 40 && value.suffix(40).allSatisfy(\.isToken68Character)
    }

    /// Whether a line begins a token of its own, told by first bytes that hardly come about by chance.
    private func startsToken(_ line: ArraySlice<UInt8>) -> Bool {
        if line.starts(with: "eyJ".utf8) { return true }
        // The first letters say it; what is no base64 is no token.
        let bytes = Base64.decodeIgnoringPadding(line.prefix(16)) ?? []
        return bytes.starts(with: "NTLMSSP".utf8) || PastedToken.startsAsDER(bytes, of: line.count / 4 * 3)
    }

    /// Fields that have to do with authentication, in lower case.
    static let names: Set<String> = [
        "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "authentication-info",
        "proxy-authentication-info", "authentication-control", "optional-www-authenticate", "persistent-auth",
        "proxy-support", "dpop", "dpop-nonce", "x-msdavext_error", "x-forms_based_auth_required",
        "x-forms_based_auth_return_url", "x-forms_based_auth_accepted", "x-feserver", "x-squid-error", "x-amz-date",
        "x-amz-content-sha256", "x-wsse", "lfs-authenticate",
    ]
}

/// One line of pasted text without what tools put around it.
private struct PastedLine {
    /// What is left.
    private(set) var octets: ArraySlice<UInt8>
    /// Who sent the line, where a mark says it.
    private(set) var sender: PastedItem.Sender?
    /// Whether the line is curl's own talk, not part of a message.
    private(set) var isComment = false

    init(_ line: ArraySlice<UInt8>) {
        octets = Self.withoutEscapes(line)
        trim()
        dropTrace()
        takeMark()
        for prefix in ["header: ", "-H ", "--header "] where octets.starts(with: prefix.utf8) {
            octets = octets.dropFirst(prefix.utf8.count)
        }
        trim()
        // A line copied from Wireshark ends in the four characters \r\n.
        if octets.count > 4, octets.suffix(4).elementsEqual(#"\r\n"#.utf8) { octets = octets.dropLast(4) }
        unquote()
        trim()
    }

    /// Leaves out what curl's `--trace-time` and `--trace-ids` put before a mark: `12:00:01.123456 [0-0] > `.
    private mutating func dropTrace() {
        var rest = octets
        for isTrace in [Self.isTime, Self.isNumbers] {
            let word = rest.prefix { !$0.isBlank }
            if isTrace(word) { rest = rest[word.endIndex...].drop(while: \.isBlank) }
        }
        // Without a mark, a time and numbers are text like any other.
        if let mark = rest.first, "><*{}".utf8.contains(mark) { octets = rest }
    }

    /// Whether a word is a time of day with a fraction of a second.
    private static func isTime(_ word: ArraySlice<UInt8>) -> Bool {
        let parts = word.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        return parts.count == 3 && parts[2].contains(UInt8(ascii: "."))
            && parts.joined().allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
    }

    /// Whether a word is the numbers of a transfer and of its connection, each `x` where there is none: `[0-x]`.
    private static func isNumbers(_ word: ArraySlice<UInt8>) -> Bool {
        guard word.count >= 5, word.first == UInt8(ascii: "["), word.last == UInt8(ascii: "]") else { return false }
        return word.dropFirst().dropLast().allSatisfy { (0x30...0x39).contains($0) || "x-".utf8.contains($0) }
    }

    private mutating func takeMark() {
        guard let first = octets.first, octets.dropFirst().first.map(\.isBlank) ?? true else { return }
        switch first {
        case UInt8(ascii: ">"): sender = .client
        case UInt8(ascii: "<"): sender = .server
        case UInt8(ascii: "*"), UInt8(ascii: "{"), UInt8(ascii: "}"): isComment = true
        default: return
        }
        octets = octets.dropFirst()
    }

    private mutating func trim() {
        octets = octets.drop { $0.isBlank || $0 == 0x0D }
        while let last = octets.last, last.isBlank || last == 0x0D { octets = octets.dropLast() }
    }

    private mutating func unquote() {
        guard octets.count >= 2, let quote = octets.first, octets.last == quote, quote == 0x22 || quote == 0x27 else {
            return
        }
        octets = octets.dropFirst().dropLast()
    }

    /// Leaves out what colours text on a terminal: ESC `[` … letter.
    ///
    /// - Source: ECMA-48 §5.4.
    private static func withoutEscapes(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard line.contains(0x1B) else { return line }
        var plain: [UInt8] = []
        var rest = line
        while let byte = rest.popFirst() {
            guard byte == 0x1B, rest.first == UInt8(ascii: "[") else {
                plain.append(byte)
                continue
            }
            rest = rest.dropFirst().drop { (0x20...0x3F).contains($0) }.dropFirst()
        }
        return plain[...]
    }
}
