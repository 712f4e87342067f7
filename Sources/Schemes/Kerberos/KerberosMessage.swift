public import AuthScanBytes

/// A Kerberos message as it stands in an HTTP field.
///
/// - Source: RFC 4120 §5.5, §5.9; RFC 4121 §4.1.
public indirect enum KerberosMessage: Hashable, Sendable {
    /// The client's ticket and proof.
    case apReq(APReq)
    /// The server's proof.
    case apRep(APRep)
    /// The server's refusal.
    case krbError(KRBError)

    /// The specification's name of the message: `AP-REQ`, `AP-REP` or `KRB-ERROR`.
    public var messageName: String {
        switch self {
        case .apReq: "AP-REQ"
        case .apRep: "AP-REP"
        case .krbError: "KRB-ERROR"
        }
    }

    /// The client's message; `nil` for another.
    public var apReq: APReq? { if case .apReq(let message) = self { message } else { nil } }
    /// The server's proof; `nil` for another message.
    public var apRep: APRep? { if case .apRep(let message) = self { message } else { nil } }
    /// The server's refusal; `nil` for another message.
    public var krbError: KRBError? { if case .krbError(let message) = self { message } else { nil } }

    /// Decodes a message, with or without its GSS-API framing.
    ///
    /// - Throws: when a field that the message requires is missing or malformed.
    public init(decoding bytes: ArraySlice<UInt8>) throws(DecodeError) {
        let (message, offset, thisMech) = try Self.unframed(bytes)
        try self.init(unframed: message, at: offset, thisMech: thisMech)
    }
}
