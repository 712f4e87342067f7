import AuthScanBytes

/// The quick way through a field value of one challenge or credentials that follows its grammar in the form nearly all have.
///
///     [ BWS ] auth-scheme [ 1*SP ( token68 / auth-param *( OWS "," OWS auth-param ) ) ] [ BWS ]
///
/// Anything else is left to `FieldParser`, which makes the same of an ordinary value: any white space around `=`, a
/// quoted-pair, a name of unusual letters, and all that is worth a problem.
enum OrdinaryField {
    /// How many auth-params are kept as places.
    private static let parameterLimit = 32

    /// What the field value holds; `nil` where it is not ordinary.
    static func parse(_ fieldValue: ArraySlice<UInt8>, as grammar: FieldParser.Grammar) -> FieldElement? {
        let octets = fieldValue.span
        guard octets.count <= ParameterPlace.longestField else { return nil }
        let start = end(octets, from: 0) { $0.isBlank }
        let schemeEnd = end(octets, from: start) { $0.isTokenCharacter }
        guard schemeEnd > start else { return nil }
        let index = end(octets, from: schemeEnd) { $0.isBlank }
        guard index > schemeEnd || index == octets.count else { return nil }
        let scheme = AuthenticationScheme(fieldValue, at: start..<schemeEnd)
        guard let content = content(octets, from: index, of: scheme.kind, grammar) else { return nil }
        return FieldElement(
            fieldValue,
            scheme: scheme,
            offset: start,
            content: content,
            secretsOf: grammar == .credentials ? scheme.kind : nil
        )
    }

    /// What fills the rest of a field value after the scheme; `nil` where it is not ordinary.
    private static func content(
        _ octets: Span<UInt8>,
        from index: Int,
        of kind: AuthenticationScheme.Kind,
        _ grammar: FieldParser.Grammar
    ) -> FieldElement.Content? {
        // Credentials that consist of one word may be a token without a scheme.
        if index == octets.count { return grammar == .challenges ? .nothing : nil }
        let letters = token68LettersEnd(octets, from: index)
        let stop = end(octets, from: letters) { $0 == UInt8(ascii: "=") }
        if letters > index, end(octets, from: stop, while: { $0.isBlank }) == octets.count {
            return .token(index..<stop)
        }
        // In credentials of the other schemes, what stands there is a token or a password in a wrong form.
        if grammar == .credentials, kind != .other, kind != .digest { return nil }
        return parameters(octets, from: index, of: kind, grammar).map { .parameters($0) }
    }

    /// The places of the auth-params that fill the rest of a field value; `nil` where it is not ordinary.
    private static func parameters(
        _ octets: Span<UInt8>,
        from start: Int,
        of kind: AuthenticationScheme.Kind,
        _ grammar: FieldParser.Grammar
    ) -> [ParameterPlace]? {
        var places: [ParameterPlace] = []
        places.reserveCapacity(usualCount(of: kind, grammar))
        var known: UInt32 = 0
        var index = start
        while index < octets.count {
            let (nameEnd, name) = parseName(octets, from: index)
            guard nameEnd > index, nameEnd - index <= ParameterPlace.longestName, nameEnd < octets.count,
                octets[nameEnd] == UInt8(ascii: "="), places.count < parameterLimit,
                let (value, isQuoted) = parseValue(octets, from: nameEnd + 1, of: kind)
            else { return nil }
            if let name {
                guard known & 1 << UInt32(name.rawValue) == 0, isQuoted || !mustBeQuoted(name, kind, grammar) else {
                    return nil
                }
                known |= 1 << UInt32(name.rawValue)
            } else if isRepeated(octets, index..<nameEnd, among: places) {
                return nil
            }
            places.append(
                ParameterPlace(
                    nameStart: UInt32(index),
                    valueStart: UInt32(value.lowerBound),
                    valueCount: UInt32(value.count),
                    nameCount: UInt8(nameEnd - index),
                    isQuoted: isQuoted,
                    known: name
                )
            )
            let next = end(octets, from: value.upperBound + (isQuoted ? 1 : 0)) { $0.isBlank }
            guard next == octets.count || octets[next] == UInt8(ascii: ",") else { return nil }
            index = end(octets, from: next) { $0.isBlank || $0 == UInt8(ascii: ",") }
        }
        return places
    }

    /// For how many parameters to make room at once.
    private static func usualCount(of kind: AuthenticationScheme.Kind, _ grammar: FieldParser.Grammar) -> Int {
        switch kind {
        case .digest: grammar == .credentials ? 9 : 4
        default: 2
        }
    }

    /// Where a name of usual letters ends, and what name it is.
    @inline(__always)
    private static func parseName(_ octets: Span<UInt8>, from start: Int) -> (end: Int, known: KnownParameter?) {
        var index = start
        var mixture = FoldedName.Mixture()
        while index < octets.count, octets[index].isNameCharacter {
            mixture.append(octets[index].asciiLowercased)
            index += 1
        }
        guard index > start else { return (index, nil) }
        return (index, KnownParameter(mixture, count: index - start, first: octets[start]))
    }

    /// Where a value lies, its quotes aside; `nil` where it is not ordinary.
    @inline(__always)
    private static func parseValue(
        _ octets: Span<UInt8>,
        from start: Int,
        of kind: AuthenticationScheme.Kind
    ) -> (place: Range<Int>, isQuoted: Bool)? {
        guard start < octets.count else { return nil }
        if octets[start] == UInt8(ascii: "\"") {
            let stop = end(octets, from: start + 1) { $0.isPlainInQuotes }
            guard stop < octets.count, octets[stop] == UInt8(ascii: "\"") else { return nil }
            return ((start + 1)..<stop, true)
        }
        var stop = end(octets, from: start) { $0.isTokenCharacter }
        // Schemes of applications put there what no token may hold, and nobody minds.
        if kind == .other {
            stop = end(octets, from: stop) { $0.isPlainInQuotes && !$0.isBlank && $0 != UInt8(ascii: ",") }
        }
        guard stop > start, stop == octets.count || octets[stop].isBlank || octets[stop] == UInt8(ascii: ",") else {
            return nil
        }
        return (start..<stop, false)
    }

    private static func mustBeQuoted(
        _ name: KnownParameter,
        _ kind: AuthenticationScheme.Kind,
        _ grammar: FieldParser.Grammar
    ) -> Bool {
        name == .realm || kind == .digest && grammar == .credentials && name.isQuotedInDigestCredentials
    }

    /// Whether a name that is not told apart is there already.
    private static func isRepeated(_ octets: Span<UInt8>, _ name: Range<Int>, among places: [ParameterPlace]) -> Bool {
        places.contains { place in
            guard place.known == nil, Int(place.nameCount) == name.count else { return false }
            let other = place.name(from: 0).lowerBound
            for index in 0..<name.count
            where octets[other + index].asciiLowercased != octets[name.lowerBound + index].asciiLowercased {
                return false
            }
            return true
        }
    }

    /// The index of the first octet at or after `start` that does not satisfy the test.
    @inline(__always)
    private static func end(_ octets: Span<UInt8>, from start: Int, while test: (UInt8) -> Bool) -> Int {
        var index = start
        while index < octets.count, test(octets[index]) { index += 1 }
        return index
    }

    /// Where the letters of a token68 end, its final `=` aside.
    ///
    /// Nearly always that is where the field value ends, which is looked for first.
    private static func token68LettersEnd(_ octets: Span<UInt8>, from start: Int) -> Int {
        var last = octets.count
        while last > start, octets[last - 1] == UInt8(ascii: "=") { last -= 1 }
        var index = stretch(octets, start..<last, stride: 64) { $0.token68Bits }
        index = stretch(octets, index..<last, stride: 16) { $0.token68Bits }
        // The last piece may begin among letters that were looked at before.
        if last - index < 16, last - start >= 16,
            UInt8.haveAll(octets.extracting((last - 16)..<last), { $0.token68Bits })
        {
            return last
        }
        return end(octets, from: index) { $0.isToken68Character }
    }

    /// How far octets go that have all bits of what is asked of each, looked at several at once.
    @inline(__always)
    private static func stretch(
        _ octets: Span<UInt8>,
        _ places: Range<Int>,
        stride: Int,
        _ bits: (UInt8) -> UInt8
    ) -> Int {
        var index = places.lowerBound
        while places.upperBound - index >= stride,
            UInt8.haveAll(octets.extracting(index..<(index + stride)), bits)
        {
            index += stride
        }
        return index
    }
}
