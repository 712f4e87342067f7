/// Moves over a field value front to back; every step is bounded by the octets it passes.
struct FieldScanner {
    /// The field value.
    let octets: ArraySlice<UInt8>

    /// The index of the next octet in `octets`.
    var index: Int

    init(_ octets: ArraySlice<UInt8>) {
        self.octets = octets
        index = octets.startIndex
    }

    /// Where the next octet lies, in bytes from the start of the field value.
    var offset: Int { index - octets.startIndex }

    var isAtEnd: Bool { index >= octets.endIndex }

    var next: UInt8? { index < octets.endIndex ? octets[index] : nil }

    /// The index of the first octet at or after `start` that does not satisfy the test.
    @inline(__always) func end(from start: Int, while test: (UInt8) -> Bool) -> Int {
        let following = octets[start...]
        let rest = following.span
        var index = 0
        while index < rest.count, test(rest[index]) { index &+= 1 }
        return start + index
    }

    /// The index of the first octet that may stand in no field value; `nil` where there is none.
    var firstControl: Int? {
        let index = end(from: octets.startIndex) { !$0.isControl }
        return index < octets.endIndex ? index : nil
    }

    mutating func skipBlanks() { index = end(from: index) { $0.isBlank } }

    /// Skips the white space and commas of empty list elements.
    ///
    /// - Source: RFC 9110 §5.6.1.2: "A recipient MUST parse and ignore a reasonable number of empty list elements".
    mutating func skipEmptyElements() { index = end(from: index) { $0.isBlank || $0 == UInt8(ascii: ",") } }

    /// Whether nothing, or a comma, follows after optional white space.
    func endsElement(at start: Int) -> Bool {
        let stop = end(from: start) { $0.isBlank }
        return stop == octets.endIndex || octets[stop] == UInt8(ascii: ",")
    }

    /// The token at the next octet, which is not moved past; `nil` where none is.
    func peekToken() -> Range<Int>? {
        let stop = end(from: index) { $0.isTokenCharacter }
        return stop > index ? index..<stop : nil
    }

    /// Where the value of an auth-param starts whose name ends at `nameEnd`; `nil` where no `=` follows the name.
    ///
    /// - Source: RFC 9110 §11.2: `auth-param = token BWS "=" BWS ( token / quoted-string )`.
    func valueStart(afterName nameEnd: Int) -> Int? {
        let equals = end(from: nameEnd) { $0.isBlank }
        guard equals < octets.endIndex, octets[equals] == UInt8(ascii: "=") else { return nil }
        return end(from: equals + 1) { $0.isBlank }
    }

    /// The token68 at the next octet, if one stands there and fills its list element.
    func peekToken68() -> Range<Int>? {
        let letters = token68LettersEnd
        guard letters > index else { return nil }
        let stop = end(from: letters) { $0 == UInt8(ascii: "=") }
        return endsElement(at: stop) ? index..<stop : nil
    }

    /// Where the letters of a token68 that starts at the next octet end, its final `=` aside.
    private var token68LettersEnd: Int {
        var start = index
        while octets.endIndex - start >= Self.stride {
            let piece = octets[start..<(start + Self.stride)]
            guard UInt8.haveAll(piece.span, { $0.token68Bits }) else { break }
            start += Self.stride
        }
        return end(from: start) { $0.isToken68Character }
    }

    /// How many octets are looked at at once.
    private static let stride = 64

    /// Moves to the next comma outside a quoted-string, or to the end.
    mutating func skipToComma() {
        while let octet = next, octet != UInt8(ascii: ",") {
            index = octet == UInt8(ascii: "\"") ? quotedStringEnd(from: index + 1).after : index + 1
        }
    }

    /// Where the inside of a quoted-string that starts at `start` ends, and where reading goes on after it.
    func quotedStringEnd(from start: Int) -> (inside: Int, after: Int, hasPairs: Bool, isClosed: Bool) {
        var index = start
        var hasPairs = false
        while index < octets.endIndex {
            if octets[index] == UInt8(ascii: "\"") { return (index, index + 1, hasPairs, true) }
            if octets[index] == UInt8(ascii: "\\"), index + 1 < octets.endIndex {
                hasPairs = true
                index += 1
            }
            index += 1
        }
        return (octets.endIndex, octets.endIndex, hasPairs, false)
    }
}
