import AuthScanBytes

/// Splits a field value into its elements by the grammar alone.
///
///     field       = #challenge / credentials / #auth-param
///     challenge   = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
///     auth-param  = token BWS "=" BWS ( token / quoted-string )
///
/// The commas of the inner and the outer list look alike: a list element that is a token followed by `=` is an
/// auth-param, any other one opens a challenge.
///
/// What follows no grammar is noted as a problem of the element it stands in, and reading goes on at the next comma.
/// Each octet is looked at a bounded number of times.
///
/// - Source: RFC 9110 §11.2–11.4, §11.6.
struct FieldParser {
    /// What the field value is.
    enum Grammar { case challenges, credentials, parameters }

    /// How many elements and auth-params of one field value are kept.
    static let elementLimit = 64
    static let parameterLimit = 256

    private var scanner: FieldScanner
    private let grammar: Grammar
    private var elements: [FieldElement] = []
    private var current: FieldElement?
    /// Whether the last auth-param came without quotes, so that what follows its comma may belong to it.
    private var continuesUnquotedValue = false
    private var names: Set<String> = []

    init(_ fieldValue: ArraySlice<UInt8>, as grammar: Grammar) {
        scanner = FieldScanner(fieldValue)
        self.grammar = grammar
        if grammar == .parameters {
            current = FieldElement(fieldValue, scheme: AuthenticationScheme(rawValue: ""), offset: 0)
        }
    }

    /// The elements in wire order.
    mutating func parse() -> [FieldElement] {
        scanner.skipEmptyElements()
        while !scanner.isAtEnd {
            parseListElement()
            scanner.skipEmptyElements()
        }
        closeElement()
        noteControlCharacters()
        return elements
    }

    private mutating func parseListElement() {
        guard let token = scanner.peekToken() else { return parseUnexpectedText() }
        if let valueStart = scanner.valueStart(afterName: token.upperBound) {
            return parseParameter(name: token, valueStart: valueStart)
        }
        if grammar == .parameters || continuesValue(with: token) { return parseUnexpectedText() }
        openElement(schemeAt: token)
    }

    // MARK: - Elements

    private mutating func openElement(schemeAt token: Range<Int>) {
        closeElement()
        let scheme = AuthenticationScheme(scanner.octets[token])
        var element = FieldElement(scanner.octets, scheme: scheme, offset: scanner.offset)
        scanner.index = token.upperBound
        continuesUnquotedValue = false
        guard !scanner.endsElement(at: scanner.index) else {
            current = element
            return
        }
        let afterScheme = scanner.index
        scanner.skipBlanks()
        if scanner.index == afterScheme {
            element.note(
                .invalidScheme,
                "the auth-scheme is followed by an octet no token may hold",
                at: scanner.offset
            )
        }
        if let token68 = scanner.peekToken68() {
            element.token = token68
            scanner.index = token68.upperBound
            current = element
            return
        }
        current = element
        parseFirstPart()
    }

    /// Reads what follows an auth-scheme, which is no token68: the first auth-param, unless something is amiss.
    private mutating func parseFirstPart() {
        guard let token = scanner.peekToken() else { return parseUnexpectedText() }
        if let valueStart = scanner.valueStart(afterName: token.upperBound) {
            return parseParameter(name: token, valueStart: valueStart)
        }
        guard grammar == .challenges, AuthenticationScheme(rawValue: fieldText(scanner.octets[token])).isKnown else {
            return parseUnexpectedText()
        }
        // The next turn of the loop opens its element: opening it here would recurse once a word.
        current?.note(.unexpectedText, "another auth-scheme follows without a comma", at: scanner.offset)
    }

    private mutating func closeElement() {
        guard let element = current else { return }
        current = nil
        names.removeAll(keepingCapacity: true)
        if elements.count < Self.elementLimit {
            elements.append(element)
        } else {
            let message = "more than \(Self.elementLimit) challenges in one field"
            if elements[elements.count - 1].problems.last?.kind != .limitExceeded {
                elements[elements.count - 1].note(.limitExceeded, message, at: element.offset)
            }
        }
    }

    /// Opens the element of text that no auth-scheme precedes.
    private mutating func openElementWithoutScheme(_ kind: FieldProblem.Kind, _ message: String) {
        var element = FieldElement(scanner.octets, scheme: AuthenticationScheme(rawValue: ""), offset: scanner.offset)
        element.note(kind, message, at: scanner.offset)
        current = element
    }

    // MARK: - Auth-params

    private mutating func parseParameter(name: Range<Int>, valueStart: Int) {
        if current == nil {
            openElementWithoutScheme(.missingScheme, "an auth-param stands before any auth-scheme")
        }
        if current?.token != nil {
            current?.note(.unexpectedText, "an auth-param follows a token68", at: scanner.offset)
        }
        let offset = scanner.offset
        let rawName = fieldText(scanner.octets[name])
        let nameText = isTokenInDisguise(rawName) ? Secret(rawName).description : rawName
        scanner.index = valueStart
        let isQuoted = scanner.next == UInt8(ascii: "\"")
        let value = isQuoted ? parseQuotedString() : parseUnquotedValue(of: nameText)
        keep(
            AuthParameter(
                name: nameText,
                value: value.text,
                isQuoted: isQuoted,
                escapedValue: value.escaped,
                offset: offset,
                isSecret: grammar == .credentials && isSecret(rawName),
                key: FoldedName(scanner.octets[name])
            )
        )
        continuesUnquotedValue = !isQuoted
        if !scanner.endsElement(at: scanner.index) {
            scanner.skipBlanks()
            current?.note(.unexpectedText, "a comma is missing", at: scanner.offset)
        }
    }

    private mutating func keep(_ parameter: AuthParameter) {
        guard let count = current?.made.count, count < Self.parameterLimit else {
            if current?.problems.last?.kind != .limitExceeded {
                let message = "more than \(Self.parameterLimit) auth-params in one challenge"
                current?.note(.limitExceeded, message, at: parameter.offset)
            }
            return
        }
        // RFC 9110 §11.2: "each parameter name MUST only occur once per challenge".
        if isDuplicate(parameter, among: count) {
            current?.note(.duplicateParameter, "\(parameter.name) stands there twice", at: parameter.offset)
        }
        current?.made.append(parameter)
    }

    /// Whether the name is there already; compares directly as long as that is cheaper than a set.
    private mutating func isDuplicate(_ parameter: AuthParameter, among count: Int) -> Bool {
        if count < 16 {
            return current?.made.contains {
                $0.key == parameter.key && (parameter.key.isExact || $0.name.isASCIIEqual(to: parameter.name))
            } ?? false
        }
        if names.isEmpty { names.formUnion(current?.made.map { $0.name.lowercased() } ?? []) }
        return !names.insert(parameter.name.lowercased()).inserted
    }

    /// Whether a name may well be a part of a broken token, which would be printed as a name.
    private func isTokenInDisguise(_ name: String) -> Bool {
        grammar == .credentials && !SecretParameters.isName(name, in: current?.scheme.kind ?? .other)
    }

    private func isSecret(_ name: String) -> Bool {
        guard let scheme = current?.scheme else { return true }
        return SecretParameters.isSecret(name, in: scheme.kind)
    }

    private mutating func parseQuotedString() -> (text: String, escaped: String?) {
        let start = scanner.index + 1
        let (inside, after, hasPairs, isClosed) = scanner.quotedStringEnd(from: start)
        if !isClosed { current?.note(.unterminatedQuotedString, "the closing quote is missing", at: scanner.offset) }
        scanner.index = after
        let raw = scanner.octets[start..<inside]
        guard hasPairs else { return (fieldText(raw), nil) }
        var plain: [UInt8] = []
        plain.reserveCapacity(raw.count)
        var isEscaped = false
        for octet in raw {
            if octet == UInt8(ascii: "\\"), !isEscaped {
                isEscaped = true
            } else {
                plain.append(octet)
                isEscaped = false
            }
        }
        return (fieldText(plain[...]), fieldText(raw))
    }

    private mutating func parseUnquotedValue(of name: String) -> (text: String, escaped: String?) {
        let start = scanner.index
        var stop = scanner.end(from: start) { !$0.isBlank && $0 != UInt8(ascii: ",") }
        // Words after white space belong to the value, until one looks like the next auth-param or auth-scheme.
        while !scanner.endsElement(at: stop) {
            scanner.index = scanner.end(from: stop) { $0.isBlank }
            if startsParameterOrScheme() { break }
            stop = scanner.end(from: scanner.index) { !$0.isBlank && $0 != UInt8(ascii: ",") }
        }
        scanner.index = stop
        checkUnquoted(scanner.octets[start..<stop], of: name, at: start - scanner.octets.startIndex)
        return (fieldText(scanner.octets[start..<stop]), nil)
    }

    private func startsParameterOrScheme() -> Bool {
        guard let token = scanner.peekToken() else { return false }
        if scanner.valueStart(afterName: token.upperBound) != nil { return true }
        return token.count <= 20 && AuthenticationScheme(rawValue: fieldText(scanner.octets[token])).kind != .other
    }

    private mutating func checkUnquoted(_ value: ArraySlice<UInt8>, of name: String, at offset: Int) {
        guard !value.isEmpty else {
            current?.note(.incompleteParameter, "\(name) has no value", at: offset)
            return
        }
        if value.contains(where: { $0.isBlank || $0.isControl || $0 == UInt8(ascii: "\"") }) {
            current?.note(.malformedValue, "the unquoted value of \(name) holds octets no token may hold", at: offset)
        } else if mustBeQuoted(name) || (current?.scheme.kind != .other && !value.allSatisfy({ $0.isTokenCharacter })) {
            current?.note(.unquotedValue, "the value of \(name) must be quoted", at: offset)
        }
    }

    /// Whether the parameter needs quotes even around a token.
    ///
    /// - Source: RFC 9110 §11.5 (realm); RFC 7616 §3.4: "for historical reasons, the quoted-string syntax" of these.
    private func mustBeQuoted(_ name: String) -> Bool {
        if name.isASCIIEqual(to: "realm") { return true }
        guard grammar == .credentials, current?.scheme.kind == .digest else { return false }
        return Self.quotedDigestParameters.contains { name.isASCIIEqual(to: $0) }
    }

    private static let quotedDigestParameters = ["username", "nonce", "uri", "response", "cnonce", "opaque"]

    // MARK: - What follows no grammar

    /// Whether a lone token belongs to the unquoted list before it, as in `qop=auth,auth-int`.
    private func continuesValue(with token: Range<Int>) -> Bool {
        continuesUnquotedValue && scanner.endsElement(at: token.upperBound) && continuesList
    }

    /// Whether lone tokens after the last auth-param can be more of its value: an auth-scheme alone looks the same.
    private var continuesList: Bool {
        guard let name = current?.made.last?.name else { return false }
        return grammar != .challenges || name.isASCIIEqual(to: "qop") || name.isASCIIEqual(to: "domain")
    }

    private mutating func parseUnexpectedText() {
        let start = scanner.index
        if current == nil { openElementWithoutScheme(.invalidScheme, "the value does not start with an auth-scheme") }
        let offset = scanner.offset
        scanner.skipToComma()
        if scanner.index == start { scanner.index += 1 }
        if continuesUnquotedValue, let last = current?.made.last {
            while let stop = endOfNextContinuation() { scanner.index = stop }
            current?.made.removeLast()
            let text = fieldText(scanner.octets[start..<scanner.index])
            current?.made.append(last.extended(by: "," + text))
            current?.note(.malformedValue, "the unquoted value of \(last.name) holds a comma", at: offset)
            continuesUnquotedValue = false
        } else {
            current?.note(.unexpectedText, "text that is neither token68 nor auth-param", at: offset)
            let first = current?.unparsed?.lowerBound ?? start
            current?.unparsed = first..<scanner.index
        }
    }

    /// Where the next list element ends, if it belongs to the unquoted value before it as well.
    ///
    /// Taking all of them at once keeps a value with many commas from being built anew for each.
    private func endOfNextContinuation() -> Int? {
        var ahead = scanner
        ahead.skipEmptyElements()
        guard !ahead.isAtEnd else { return nil }
        if let token = ahead.peekToken() {
            guard ahead.valueStart(afterName: token.upperBound) == nil, continuesList,
                ahead.endsElement(at: token.upperBound)
            else { return nil }
        }
        let start = ahead.index
        ahead.skipToComma()
        return ahead.index > start ? ahead.index : nil
    }

    private mutating func noteControlCharacters() {
        guard !elements.isEmpty, let index = scanner.firstControl else { return }
        let offset = index - scanner.octets.startIndex
        // RFC 9110 §5.5: "Field values containing CR, LF, or NUL characters are invalid and dangerous".
        let owner = elements.lastIndex { $0.offset <= offset } ?? 0
        elements[owner].note(.controlCharacter, "0x\(Hex.encode(scanner.octets[index])) is no text", at: offset)
    }
}

extension AuthParameter {
    /// The same parameter with more text at the end of its value.
    fileprivate func extended(by text: String) -> AuthParameter {
        AuthParameter(
            name: name,
            value: value + text,
            isQuoted: isQuoted,
            escapedValue: escapedValue,
            offset: offset,
            isSecret: isSecret,
            key: key
        )
    }
}
