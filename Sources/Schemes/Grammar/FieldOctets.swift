/// The octets of the field grammar, as bit tests: this runs for every octet of every credential.
///
/// - Source: RFC 9110 §5.6.2 (tchar), §11.2 (token68).
extension UInt8 {
    /// Whether the octet may stand in a token.
    var isTokenCharacter: Bool { isIn(low: 0x03FF_6CFA_0000_0000, high: 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether the octet may stand in a token68, its final `=` aside.
    var isToken68Character: Bool { isIn(low: 0x03FF_E800_0000_0000, high: 0x47FF_FFFE_87FF_FFFE) }

    /// Whether the octet is a space or a horizontal tab.
    var isBlank: Bool { self == 0x20 || self == 0x09 }

    /// Whether the octet may stand in no field value: a control other than the tab.
    var isControl: Bool { (self < 0x20 && self != 0x09) || self == 0x7F }

    private func isIn(low: UInt64, high: UInt64) -> Bool {
        switch self {
        case 0..<64: (low >> UInt64(self)) & 1 == 1
        case 64..<128: (high >> UInt64(self & 63)) & 1 == 1
        default: false
        }
    }
}
