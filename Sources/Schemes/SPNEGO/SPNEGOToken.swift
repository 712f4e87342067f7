public import AuthScanBytes

/// One leg of an SPNEGO negotiation.
///
///     NegotiationToken ::= CHOICE { negTokenInit [0] NegTokenInit, negTokenResp [1] NegTokenResp }
///
/// - Source: RFC 4178 §4.2.
public enum SPNEGOToken: Hashable, Sendable {
    /// The initiator's first leg, or a server's unasked hints (NegTokenInit2).
    case negTokenInit(NegTokenInit)
    /// Any later leg, of either side.
    case negTokenResp(NegTokenResp)

    /// The specification's name of the token: `NegTokenInit`, `NegTokenInit2` or `NegTokenResp`.
    public var name: String {
        switch self {
        case .negTokenInit(let token): token.isNegTokenInit2 ? "NegTokenInit2" : "NegTokenInit"
        case .negTokenResp: "NegTokenResp"
        }
    }

    /// The mechanism's token inside; `nil` where there is none.
    public var inner: MechanismToken? {
        switch self {
        case .negTokenInit(let token): token.mechToken
        case .negTokenResp(let token): token.responseToken
        }
    }

    /// What is malformed, with offsets from the start of the token.
    public var problems: [DecodeError] {
        switch self {
        case .negTokenInit(let token): token.problems
        case .negTokenResp(let token): token.problems
        }
    }

    /// The first leg; `nil` for a later one.
    public var negTokenInit: NegTokenInit? { if case .negTokenInit(let token) = self { token } else { nil } }

    /// A later leg; `nil` for the first.
    public var negTokenResp: NegTokenResp? { if case .negTokenResp(let token) = self { token } else { nil } }
}

/// The token of the mechanism that SPNEGO carries.
public struct MechanismToken: Hashable, Sendable {
    /// What the token is.
    public indirect enum Content: Hashable, Sendable {
        /// NTLM.
        case ntlm(NTLMMessage)
        /// Kerberos.
        case kerberos(KerberosMessage)
        /// Another mechanism's token, or one that cannot be decoded.
        case unknown(UnknownToken)
    }

    /// What the token is.
    public let content: Content
    /// Where the token starts, in bytes from the start of the SPNEGO token.
    public let offset: Int
    /// Why the token could not be decoded; its offset counts from the start of the mechanism's token.
    public let problem: DecodeError?

    /// The NTLM message; `nil` for another token.
    public var ntlm: NTLMMessage? { if case .ntlm(let message) = content { message } else { nil } }
    /// The Kerberos message; `nil` for another token.
    public var kerberos: KerberosMessage? { if case .kerberos(let message) = content { message } else { nil } }
}
