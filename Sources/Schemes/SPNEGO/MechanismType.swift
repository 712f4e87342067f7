/// A security mechanism, by its object identifier.
///
/// - Source: RFC 4178 §4.1; RFC 4121; MS-SPNG 1.9.
public struct MechanismType: RawRepresentable, Hashable, Sendable {
    /// The object identifier.
    public let rawValue: ObjectIdentifier

    /// Names a mechanism.
    public init(rawValue: ObjectIdentifier) { self.rawValue = rawValue }

    private init(_ oid: String) { rawValue = ObjectIdentifier(rawValue: oid) }

    /// SPNEGO itself.
    public static let spnego = Self("1.3.6.1.5.5.2")
    /// Kerberos.
    public static let kerberos = Self("1.2.840.113554.1.2.2")
    /// Kerberos with the object identifier that Windows 2000 truncated to 16 bits an arc.
    public static let microsoftKerberos = Self("1.2.840.48018.1.2.2")
    /// Kerberos of an early draft.
    public static let kerberosDraft = Self("1.3.5.1.5.2")
    /// Kerberos, user to user.
    public static let kerberosUserToUser = Self("1.2.840.113554.1.2.2.3")
    /// NTLM.
    public static let ntlm = Self("1.3.6.1.4.1.311.2.2.10")
    /// Extended negotiation.
    public static let negoex = Self("1.3.6.1.4.1.311.2.2.30")
    /// Kerberos through the acceptor: the registered form.
    public static let iakerb = Self("1.3.6.1.5.2.5")

    /// Whether the mechanism is Kerberos under any of its object identifiers.
    public var isKerberos: Bool {
        [.kerberos, .microsoftKerberos, .kerberosDraft, .kerberosUserToUser].contains(self)
    }

    /// A short name; `nil` for an unknown mechanism.
    public var name: String? {
        switch self {
        case .spnego: "SPNEGO"
        case .kerberos: "Kerberos"
        case .microsoftKerberos: "MS-Kerberos"
        case .kerberosDraft: "Kerberos (draft)"
        case .kerberosUserToUser: "Kerberos User-to-User"
        case .ntlm: "NTLMSSP"
        case .negoex: "NEGOEX"
        case .iakerb, Self("1.3.6.1.5.2"): "IAKERB"
        default: nil
        }
    }
}

extension MechanismType: CustomStringConvertible {
    /// The name with the object identifier, or that alone.
    public var description: String { name.map { "\($0) (\(rawValue.rawValue))" } ?? rawValue.rawValue }
}
