public import AuthScanBytes

/// A refusal, and why.
///
///     KRB-ERROR ::= [APPLICATION 30] SEQUENCE { pvno [0], msg-type [1], ctime [2], cusec [3], stime [4], susec [5],
///         error-code [6], crealm [7], cname [8], realm [9], sname [10], e-text [11], e-data [12] }
///
/// - Source: RFC 4120 §5.9.1.
public struct KRBError: Hashable, Sendable {
    /// The mechanism of the GSS-API framing; `nil` where the message has none.
    public let thisMech: MechanismType?
    /// The protocol version: 5.
    public let pvno: Int
    /// The message type: 30.
    public let msgType: Int
    /// The client's time; `nil` where the field is missing.
    public let ctime: KerberosTime?
    /// The microseconds to add to `ctime`.
    public let cusec: Int?
    /// The server's time.
    public let stime: KerberosTime
    /// The microseconds to add to `stime`.
    public let susec: Int
    /// Why the server refuses.
    public let errorCode: KerberosErrorCode
    /// The client's realm; `nil` where the field is missing.
    public let crealm: String?
    /// The client's name; `nil` where the field is missing.
    public let cname: PrincipalName?
    /// The service's realm.
    public let realm: String
    /// The service's name.
    public let sname: PrincipalName
    /// The server's explanation; `nil` where the field is missing.
    public let eText: String?
    /// Data for programs; `nil` where the field is missing.
    public let eData: Secret<[UInt8]>?
}
