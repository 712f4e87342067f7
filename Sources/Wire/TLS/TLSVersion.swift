/// A protocol version as records and hellos state it.
///
/// - Source: RFC 8446 §4.2.1 and §B.1; RFC 6101 §5.6.1.2.
public struct TLSVersion: RawRepresentable, Hashable, Sendable, Comparable {
    /// The two bytes, most significant first.
    public let rawValue: UInt16

    /// Creates a version from its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// SSL 3.0.
    public static let ssl30 = TLSVersion(rawValue: 0x0300)
    /// TLS 1.0.
    public static let tls10 = TLSVersion(rawValue: 0x0301)
    /// TLS 1.1.
    public static let tls11 = TLSVersion(rawValue: 0x0302)
    /// TLS 1.2.
    public static let tls12 = TLSVersion(rawValue: 0x0303)
    /// TLS 1.3.
    public static let tls13 = TLSVersion(rawValue: 0x0304)

    /// Older versions come first.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }

    /// Whether it is a value that only tests whether the other side ignores unknown ones.
    ///
    /// - Source: RFC 8701 §2.
    var isGrease: Bool { isGreaseValue(rawValue) }
}

/// Whether a number is reserved for testing that unknown values are ignored: `0x?A?A` with twice the same byte.
///
/// - Source: RFC 8701 §2.
func isGreaseValue(_ value: UInt16) -> Bool { value & 0x0F0F == 0x0A0A && value >> 8 == value & 0xFF }

extension TLSVersion: CustomStringConvertible {
    /// `TLS 1.2` and so on; an unknown number in hexadecimal digits.
    public var description: String {
        switch self {
        case .ssl30: "SSL 3.0"
        case .tls10: "TLS 1.0"
        case .tls11: "TLS 1.1"
        case .tls12: "TLS 1.2"
        case .tls13: "TLS 1.3"
        default: "unknown (0x\(String(rawValue, radix: 16, uppercase: true)))"
        }
    }
}
