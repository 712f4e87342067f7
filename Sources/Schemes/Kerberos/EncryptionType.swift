/// How Kerberos encrypts.
///
/// - Source: RFC 3961 §8; RFC 3962; RFC 4757; RFC 8009; the IANA registry of Kerberos encryption types.
public struct EncryptionType: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int
    /// Names an encryption type.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Whether the type is RC4, which is being switched off.
    public var isRC4: Bool { [23, 24, -128, -133, -135].contains(rawValue) }
    /// Whether the type is single DES, which is switched off.
    public var isDES: Bool { (1...3).contains(rawValue) }

    /// The registered name, such as `aes256-cts-hmac-sha1-96`; `unknown (99)` for others.
    public var name: String {
        switch rawValue {
        case 1: "des-cbc-crc"
        case 2: "des-cbc-md4"
        case 3: "des-cbc-md5"
        case 5: "des3-cbc-md5"
        case 7: "des3-cbc-sha1"
        case 16: "des3-cbc-sha1-kd"
        case 17: "aes128-cts-hmac-sha1-96"
        case 18: "aes256-cts-hmac-sha1-96"
        case 19: "aes128-cts-hmac-sha256-128"
        case 20: "aes256-cts-hmac-sha384-192"
        case 23: "rc4-hmac"
        case 24: "rc4-hmac-exp"
        case 25: "camellia128-cts-cmac"
        case 26: "camellia256-cts-cmac"
        case -128: "rc4-md4"
        case -133: "rc4-hmac-old"
        case -135: "rc4-hmac-old-exp"
        default: "unknown (\(rawValue))"
        }
    }
}
