/// The octets of the field grammar, as bit tests: this runs for every octet of every credential.
///
/// - Source: RFC 9110 §5.6.2 (tchar), §11.2 (token68).
extension UInt8 {
    /// Whether the octet may stand in a token.
    @inline(__always) var isTokenCharacter: Bool { isIn(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether the octet may stand in a token68, its final `=` aside.
    @inline(__always) var isToken68Character: Bool { isIn(low: 0x03FF_E800_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

    /// Whether the octet is one that names of auth-params are made of: a letter, a digit, or one of `_-.*`.
    @inline(__always) var isNameCharacter: Bool { isIn(low: 0x03FF_6400_0000_0000, high: 0x07FF_FFFE_87FF_FFFE) }

    /// Whether the octet stands for itself in a quoted-string, and may stand there.
    @inline(__always) var isPlainInQuotes: Bool {
        !isControl && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }

    /// Whether the octet is a space or a horizontal tab.
    @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether the octet may stand in no field value: a control other than the tab.
    @inline(__always) var isControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

    /// Whether all octets may stand in a token68, its final `=` aside; free of branches, so that many are looked at at once.
    @inline(__always)
    static func areToken68Characters(_ octets: Span<UInt8>) -> Bool {
        var others: UInt8 = 0
        for index in octets.indices {
            let octet = octets[index]
            let isLetter: UInt8 = (octet | 0x20) &- 0x61 < 26 ? 1 : 0
            // From the hyphen to the digit nine, all may stand there.
            let isDigit: UInt8 = octet &- 0x2D < 13 ? 1 : 0
            let isMark: UInt8 = (octet == 0x2B ? 1 : 0) | (octet == 0x5F ? 1 : 0) | (octet == 0x7E ? 1 : 0)
            others |= (isLetter | isDigit | isMark) ^ 1
        }
        return others == 0
    }

    @inline(__always)
    private func isIn(low: UInt64, high: UInt64) -> Bool {
        self < 128 && ((self < 64 ? low : high) >> UInt64(self & 63)) & 1 == 1
    }
}
