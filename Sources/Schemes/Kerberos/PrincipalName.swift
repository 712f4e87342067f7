/// The name of a user or service within a realm.
///
///     PrincipalName ::= SEQUENCE { name-type [0] Int32, name-string [1] SEQUENCE OF KerberosString }
///
/// - Source: RFC 4120 §5.2.2, §6.2.
public struct PrincipalName: Hashable, Sendable {
    /// What the parts mean: 1 is NT-PRINCIPAL, 2 NT-SRV-INST, 3 NT-SRV-HST, 10 NT-ENTERPRISE.
    public let nameType: Int
    /// The parts: `["HTTP", "intranet.example"]`.
    public let nameString: [String]

    /// The parts joined by slashes: `HTTP/intranet.example`.
    public var text: String { nameString.joined(separator: "/") }

    /// The specification's name of the type, such as `NT-SRV-INST`; `unknown (99)` for others.
    public var nameTypeName: String {
        switch nameType {
        case 0: "NT-UNKNOWN"
        case 1: "NT-PRINCIPAL"
        case 2: "NT-SRV-INST"
        case 3: "NT-SRV-HST"
        case 4: "NT-SRV-XHST"
        case 5: "NT-UID"
        case 6: "NT-X500-PRINCIPAL"
        case 7: "NT-SMTP-NAME"
        case 10: "NT-ENTERPRISE"
        case 11: "NT-WELLKNOWN"
        default: "unknown (\(nameType))"
        }
    }
}
