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

    private let element: ElementContent
    /// The message of NTLM, Negotiate or Kerberos, as far as there is one that can be decoded.
    private let carried: CarriedToken

    /// Gives an element of a field value the meaning its scheme defines.
    init(_ element: consuming FieldElement, target: Target) {
        carried = Self.check(&element)
        scheme = element.scheme
        self.target = target
        offset = element.offset
        self.element = ElementContent(element)
    }

    /// The auth-params in wire order, duplicates and malformed ones included.
    public var parameters: AuthParameters { element.parameters }

    /// The token that stands instead of auth-params, if any.
    public var token68: Token68? { element.token68 }

    /// What is malformed; empty for a challenge that follows its grammar and its scheme.
    public var problems: [FieldProblem] { element.problems }

    /// What the scheme makes of parameters and token.
    public var content: ChallengeContent {
        switch scheme.kind {
        case .basic: .basic(BasicChallenge(parameters: parameters))
        case .digest: .digest(DigestChallenge(parameters: parameters))
        case .bearer: .bearer(BearerChallenge(parameters: parameters))
        case .other: .other
        case .ntlm, .negotiate, .kerberos:
            switch carried {
            case .ntlm(let message): .ntlm(message)
            case .negotiate(let token): .negotiate(token)
            case .none: scheme.kind == .ntlm ? .ntlm(nil) : .negotiate(nil)
            }
        }
    }
}

extension Challenge: CustomReflectable {
    /// No children: reflection must not reach the field value, which may be the wrong one.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a scheme makes of a challenge's parameters and token.
public enum ChallengeContent: Sendable {
    /// Basic.
    case basic(BasicChallenge)
    /// Digest.
    case digest(DigestChallenge)
    /// NTLM; `nil` without a token, or with one that is no NTLM message.
    case ntlm(NTLMMessage?)
    /// Negotiate or Kerberos; `nil` without a token, or with one that cannot be decoded.
    case negotiate(NegotiateToken?)
    /// Bearer.
    case bearer(BearerChallenge)
    /// Any other scheme: see the parameters.
    case other
}

extension Challenge {
    /// The realm; `nil` where the challenge has none, as with NTLM and Negotiate.
    public var realm: String? { element.value(.realm) }

    /// The NTLM message, whether raw or inside SPNEGO.
    public var ntlm: NTLMMessage? {
        switch carried {
        case .ntlm(let message): message
        case .negotiate(let token): token.ntlm
        case .none: nil
        }
    }

    /// The token of Negotiate or Kerberos.
    public var negotiate: NegotiateToken? {
        if case .negotiate(let token) = carried { token } else { nil }
    }

    /// The Kerberos message, whether raw or inside SPNEGO.
    public var kerberos: KerberosMessage? { negotiate?.kerberos }
}
