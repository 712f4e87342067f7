/// What a server or proxy asks for: one challenge of a `WWW-Authenticate` or `Proxy-Authenticate` field.
///
///     challenge = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
///
/// A class, because one value is looked at by many and never changes.
///
/// - Source: RFC 9110 §11.3.
public final class Challenge: Sendable {
    /// Who asks.
    public enum Target: String, Hashable, Sendable {
        /// The origin server, by `WWW-Authenticate`.
        case origin
        /// A proxy, by `Proxy-Authenticate`.
        case proxy
    }

    /// The auth-scheme; empty where the value starts with something that is none.
    public let scheme: AuthenticationScheme

    /// Who asks.
    public let target: Target

    /// Where the challenge starts, in bytes from the start of its field value.
    public let offset: Int

    /// The auth-params in wire order, duplicates and malformed ones included.
    public let parameters: [AuthParameter]

    /// The token that stands instead of auth-params, if any.
    public let token68: Token68?

    /// What is malformed; empty for a challenge that follows its grammar and its scheme.
    public let problems: [FieldProblem]

    /// What the scheme makes of parameters and token.
    public let content: ChallengeContent

    /// Gives an element of a field value the meaning its scheme defines.
    init(_ element: consuming FieldElement, target: Target) {
        content = ChallengeContent(&element)
        scheme = element.scheme
        self.target = target
        offset = element.offset
        parameters = element.parameters
        token68 = Token68(element)
        problems = element.problems
    }
}

/// What a scheme makes of a challenge's parameters and token.
public enum ChallengeContent: Sendable {
    /// Basic.
    case basic(BasicChallenge)
    /// Digest.
    indirect case digest(DigestChallenge)
    /// NTLM; `nil` without a token, or with one that is no NTLM message.
    case ntlm(NTLMMessage?)
    /// Negotiate or Kerberos; `nil` without a token, or with one that cannot be decoded.
    indirect case negotiate(NegotiateToken?)
    /// Bearer.
    indirect case bearer(BearerChallenge)
    /// Any other scheme: see the parameters.
    case other
}

extension Challenge {
    /// The realm; `nil` where the challenge has none, as with NTLM and Negotiate.
    public var realm: String? { parameters["realm"] }

    /// The NTLM message, whether raw or inside SPNEGO.
    public var ntlm: NTLMMessage? {
        switch content {
        case .ntlm(let message): message
        case .negotiate(let token): token?.ntlm
        default: nil
        }
    }

    /// The token of Negotiate or Kerberos.
    public var negotiate: NegotiateToken? {
        if case .negotiate(let token) = content { token } else { nil }
    }

    /// The Kerberos message, whether raw or inside SPNEGO.
    public var kerberos: KerberosMessage? { negotiate?.kerberos }
}
