/// The quick way through text without any fault: nearly all text is, and there is much of it.
extension Base64 {
    /// How many letters make a group, and how many bytes a whole group stands for.
    private static let groupLetters = 4
    private static let groupBytes = 3

    /// Decodes text; `nil` where anything is wrong with it.
    static func decodeFaultless(_ text: Span<UInt8>, _ alphabet: Alphabet) -> [UInt8]? {
        var count = text.count
        if alphabet == .standard, count > 0 {
            guard count % groupLetters == 0 else { return nil }
            if text[count - 1] == UInt8(ascii: "=") { count -= text[count - 2] == UInt8(ascii: "=") ? 2 : 1 }
        }
        let rest = count % groupLetters
        // One letter stands for no whole byte.
        guard rest != 1 else { return nil }
        let table = alphabet == .standard ? standardParts : urlSafeParts
        let whole = count / groupLetters * groupBytes
        // An array of a collection is made of a type known here; that of a repeated value looks its type up each time.
        var output = Array(repeatElement(UInt8(0), count: whole + max(0, rest - 1)))
        var bytes = output.mutableSpan
        guard decodeGroups(text.extracting(first: count), table.span, into: &bytes) else { return nil }
        guard rest > 0 else { return output }
        var last = part(text[count - rest], 0, table.span) | part(text[count - rest + 1], 1, table.span)
        if rest == 3 { last |= part(text[count - 1], 2, table.span) }
        // The bits behind the last byte must be zero, as the mark of a letter that is none must.
        guard last >> UInt32(8 * (rest - 1)) == 0 else { return nil }
        bytes[whole] = UInt8(truncatingIfNeeded: last)
        if rest == 3 { bytes[whole + 1] = UInt8(truncatingIfNeeded: last >> 8) }
        return output
    }

    /// Decodes the whole groups of four letters; whether all of them are letters.
    @inline(__always)
    private static func decodeGroups(
        _ letters: Span<UInt8>,
        _ table: Span<UInt32>,
        into bytes: inout MutableSpan<UInt8>
    ) -> Bool {
        // Said once, so that it need not be asked for every letter.
        guard table.count >= groupLetters * 256 else { return false }
        var index = 0
        var written = 0
        var all: UInt32 = 0
        while index + groupLetters <= letters.count, written + groupBytes <= bytes.count {
            let group =
                part(letters[index], 0, table) | part(letters[index + 1], 1, table) | part(letters[index + 2], 2, table)
                | part(letters[index + 3], 3, table)
            all |= group
            bytes[written] = UInt8(truncatingIfNeeded: group)
            bytes[written + 1] = UInt8(truncatingIfNeeded: group >> 8)
            bytes[written + 2] = UInt8(truncatingIfNeeded: group >> 16)
            index += groupLetters
            written += groupBytes
        }
        return all & noLetter == 0
    }

    /// Set in the part of a letter that is none.
    private static let noLetter: UInt32 = 1 << 31

    /// What a letter at a place of its group adds to the group's bytes, the first of which is the lowest.
    @inline(__always)
    private static func part(_ letter: UInt8, _ place: Int, _ table: Span<UInt32>) -> UInt32 {
        table[place &* 256 &+ Int(letter)]
    }

    private static let standardParts = parts(of: standardValues)
    private static let urlSafeParts = parts(of: urlSafeValues)

    /// The parts of all letters at the four places of a group, one place after the other.
    private static func parts(of values: [UInt8]) -> [UInt32] {
        (0..<groupLetters).flatMap { place in
            values.map { value in
                value < 64 ? (UInt32(value) << UInt32(18 - 6 * place)).byteSwapped >> 8 : noLetter
            }
        }
    }
}
