/// Why Kerberos refuses.
///
/// - Source: RFC 4120 §7.5.9; RFC 4556 §3.1.3.
public struct KerberosErrorCode: RawRepresentable, Hashable, Sendable {
    /// The number on the wire.
    public let rawValue: Int
    /// Names a code.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The specification's name, such as `KRB_AP_ERR_SKEW`; `unknown (99)` for others.
    public var name: String { KerberosErrorCode.table[rawValue]?.name ?? "unknown (\(rawValue))" }

    /// The meaning in the specification's words; empty for an unknown code.
    public var meaning: String { KerberosErrorCode.table[rawValue]?.meaning ?? "" }
}
