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
        self >= 128 || isIn(low: 0xFFFF_FFFB_0000_0200, high: 0x7FFF_FFFF_EFFF_FFFF)
    }

    /// Whether the octet is a space or a horizontal tab.
    @inline(__always) var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether the octet may stand in no field value: a control other than the tab.
    @inline(__always) var isControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

    /// Whether the octet may stand in a token68, its final `=` aside: all bits or none, and free of branches.
    ///
    /// This is what comparing many octets at once gives.
    @inline(__always) var token68Bits: UInt8 {
        let isLetter: UInt8 = (self | 0x20) &- 0x61 < 26 ? .max : 0
        // From the hyphen to the digit nine, all may stand there.
        let isDigit: UInt8 = self &- 0x2D < 13 ? .max : 0
        let isMark: UInt8 = (self == 0x2B ? .max : 0) | (self == 0x5F ? .max : 0) | (self == 0x7E ? .max : 0)
        return isLetter | isDigit | isMark
    }

    /// Whether all octets have all bits of what is asked of each; many are looked at at once.
    @inline(__always)
    static func haveAll(_ octets: Span<UInt8>, _ bits: (UInt8) -> UInt8) -> Bool {
        var all = UInt8.max
        for index in octets.indices { all &= bits(octets[index]) }
        return all == .max
    }

    @inline(__always)
    private func isIn(low: UInt64, high: UInt64) -> Bool {
        self < 128 && ((self < 64 ? low : high) >> UInt64(self & 63)) & 1 == 1
    }
}
