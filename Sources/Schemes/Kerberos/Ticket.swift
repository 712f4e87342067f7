public import AuthScanBytes

/// A ticket as far as it is readable without keys.
///
///     Ticket ::= [APPLICATION 1] SEQUENCE { tkt-vno [0], realm [1], sname [2], enc-part [3] }
///
/// - Source: RFC 4120 §5.3.
public struct Ticket: Hashable, Sendable {
    /// The format's version: 5.
    public let tktVno: Int
    /// The realm of the KDC that issued the ticket.
    public let realm: String
    /// The service the ticket is for.
    public let sname: PrincipalName
    /// What only the service can read.
    public let encPart: EncryptedPart
}

/// Encrypted bytes, and which key they need.
///
///     EncryptedData ::= SEQUENCE { etype [0] Int32, kvno [1] UInt32 OPTIONAL, cipher [2] OCTET STRING }
///
/// - Source: RFC 4120 §5.2.9.
public struct EncryptedPart: Hashable, Sendable {
    /// The encryption type.
    public let etype: EncryptionType
    /// The key's version; `nil` where the field is missing.
    public let kvno: Int?
    /// The encrypted bytes.
    public let cipher: Secret<[UInt8]>
}
