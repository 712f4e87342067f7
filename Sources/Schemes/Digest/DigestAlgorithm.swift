/// The hash of a Digest exchange, and whether its key is bound to the session.
///
/// - Source: RFC 7616 §3.3, §6.1; names are compared without regard to letter case.
public struct DigestAlgorithm: RawRepresentable, Hashable, Sendable {
    /// The hash functions that are registered.
    public enum Hash: String, Hashable, Sendable {
        /// RFC 1321.
        case md5 = "MD5"
        /// FIPS 180-4.
        case sha256 = "SHA-256"
        /// SHA-512/256 of FIPS 180-4.
        case sha512Truncated256 = "SHA-512-256"
    }

    /// The name as on the wire.
    public let rawValue: String

    /// Names an algorithm.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Whether the name ends in `-sess`.
    public var isSession: Bool { rawValue.utf8.count > 5 && String(rawValue.suffix(5)).isASCIIEqual(to: "-sess") }

    /// The hash function; `nil` for an algorithm that is not registered.
    public var hash: Hash? {
        // Nearly always, and not to be searched for.
        if rawValue == Hash.md5.rawValue { return .md5 }
        let name = isSession ? String(rawValue.dropLast(5)) : rawValue
        return [Hash.md5, .sha256, .sha512Truncated256].first { name.isASCIIEqual(to: $0.rawValue) }
    }
}
