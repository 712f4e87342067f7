public import AuthScanBytes

/// What a client answers with: the value of an `Authorization` or `Proxy-Authorization` field.
///
///     credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
///
/// A class, because one value is looked at by many and never changes: a capture may hold a hundred thousand of them.
///
/// - Source: RFC 9110 §11.4.
public final class Credentials: Sendable {
    /// The auth-scheme; empty where the field holds a token alone, or nothing.
    public let scheme: AuthenticationScheme

    /// The auth-params in wire order, duplicates and malformed ones included.
    public let parameters: [AuthParameter]

    /// The token that stands instead of auth-params, if any.
    public let token68: Token68?

    /// What follows the scheme and is neither a token68 nor auth-params, as text; `nil` for well-formed credentials.
    public let unparsed: Secret<String>?

    /// What is malformed; empty for credentials that follow their grammar and their scheme.
    public let problems: [FieldProblem]

    /// What the scheme makes of parameters and token.
    public let content: CredentialsContent

    /// Gives an element of a field value the meaning its scheme defines.
    init(_ element: consuming FieldElement, in fieldValue: ArraySlice<UInt8>) {
        let unparsed = element.unparsed.map { Secret(fieldText(fieldValue[$0]), byteCount: $0.count) }
        if element.token68 == nil, element.parameters.isEmpty, unparsed == nil, !element.scheme.rawValue.isEmpty {
            element.note(.missingContent, "\(element.scheme) stands alone", at: element.offset)
        }
        token68 = Token68(element)
        content = CredentialsContent(&element, unparsed: unparsed)
        scheme = element.scheme
        parameters = element.parameters
        self.unparsed = unparsed
        problems = element.problems
    }
}

/// What a scheme makes of the parameters and token of credentials.
public enum CredentialsContent: Sendable {
    /// Basic; `nil` where the token is no base64.
    case basic(BasicCredentials?)
    /// Digest.
    indirect case digest(DigestCredentials)
    /// NTLM; `nil` without a token, or with one that is no NTLM message.
    case ntlm(NTLMMessage?)
    /// Negotiate or Kerberos; `nil` without a token, or with one that cannot be decoded.
    indirect case negotiate(NegotiateToken?)
    /// Bearer.
    case bearer(BearerCredentials)
    /// Any other scheme: see the parameters.
    case other
}

extension Credentials {
    /// The realm the client answers for; `nil` for schemes whose credentials name none.
    public var realm: String? { parameters["realm"] }

    /// Whether the field holds a token with no auth-scheme before it.
    public var isBareToken: Bool { scheme.rawValue.isEmpty && (token68 != nil || unparsed != nil) }

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

    /// The decoded Basic credentials; `nil` for other schemes and for a token that is no base64.
    public var basic: BasicCredentials? {
        if case .basic(let credentials) = content { credentials } else { nil }
    }

    /// The Digest credentials; `nil` for other schemes.
    public var digest: DigestCredentials? {
        if case .digest(let credentials) = content { credentials } else { nil }
    }

    /// The Bearer credentials; `nil` for other schemes.
    public var bearer: BearerCredentials? {
        if case .bearer(let credentials) = content { credentials } else { nil }
    }

    /// The name the client gives itself: Basic's user-id, Digest's username, NTLM's UserName; `nil` where it is not visible.
    public var user: String? {
        switch content {
        case .basic(let credentials): credentials?.userID
        case .digest(let credentials): credentials.user
        case .ntlm, .negotiate: ntlm?.authenticate?.user
        case .bearer, .other: nil
        }
    }
}
