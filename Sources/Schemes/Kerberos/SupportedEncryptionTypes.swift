/// The encryption types that a service's account supports, and what else it can do, as bits.
///
/// - Source: MS-KILE 2.2.7.
public struct SupportedEncryptionTypes: OptionSet, Hashable, Sendable {
    /// The bits as on the wire.
    public let rawValue: UInt32

    /// States the bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The names of the bits that are set, the lowest first.
    public var names: [String] {
        (0..<32).filter { rawValue >> UInt32($0) & 1 == 1 }.map { Self.known[$0] ?? "bit \($0)" }
    }

    private static let known: [Int: String] = [
        0: "DES-CBC-CRC", 1: "DES-CBC-MD5", 2: "RC4-HMAC", 3: "AES128-CTS-HMAC-SHA1-96", 4: "AES256-CTS-HMAC-SHA1-96",
        5: "AES256-CTS-HMAC-SHA1-96-SK", 16: "FAST-supported", 17: "Compound-identity-supported",
        18: "Claims-supported", 19: "Resource-SID-compression-disabled",
    ]
}
