/// Bytes as hexadecimal digits.
///
/// - Source: RFC 4648 §8, in lower case.
public enum Hex {
    /// Two lower-case digits for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var digits: [UInt8] = []
        for byte in bytes {
            digits.append(digit(byte >> 4))
            digits.append(digit(byte & 15))
        }
        return String(decoding: digits, as: UTF8.self)
    }

    /// All digits of a fixed-width number, most significant first.
    public static func encode<T: FixedWidthInteger & UnsignedInteger>(_ number: T) -> String {
        encode(stride(from: T.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> T($0)) })
    }

    /// Decodes digits in either case.
    ///
    /// - Throws: for a digit that is none, or an odd count of digits.
    public static func decode(_ text: some Collection<UInt8>) throws(DecodeError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        var high: UInt8?
        for (offset, letter) in text.enumerated() {
            guard let value = value(of: letter) else {
                throw DecodeError(.invalidValue("no hexadecimal digit"), "hex", offset: offset)
            }
            if let first = high { bytes.append(first << 4 | value) }
            high = high == nil ? value : nil
        }
        guard high == nil else { throw DecodeError(.truncated(needed: 1, available: 0), "hex", offset: text.count) }
        return bytes
    }

    /// The value of a digit; `nil` for a letter that is none.
    public static func value(of digit: UInt8) -> UInt8? {
        switch digit {
        case 0x30...0x39: digit - 0x30
        case 0x41...0x46: digit - 0x41 + 10
        case 0x61...0x66: digit - 0x61 + 10
        default: nil
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : 0x61 + value - 10 }
}
