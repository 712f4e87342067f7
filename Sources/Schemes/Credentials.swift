public import AuthScanBytes

/// What a client answers with: the value of an `Authorization` or `Proxy-Authorization` field.
///
///     credentials = auth-scheme [ 1*SP ( token68 / #auth-param ) ]
///
/// A class, because one value is looked at by many and never changes: a capture may hold a hundred thousand of them.
///
/// - Source: RFC 9110 §11.4.
public final class Credentials: Sendable {
    /// What is decoded at once, because it tells what is malformed; the rest is made of the field value when it is asked for.
    enum Decoded: Sendable {
        /// Nothing is, or nothing can be.
        case nothing
        case basic(BasicCredentials)
        case ntlm(NTLMMessage)
        case negotiate(NegotiateToken)
    }

    /// The auth-scheme; empty where the field holds a token alone, or nothing.
    public let scheme: AuthenticationScheme

    private let element: ElementContent
    private let decoded: Decoded

    /// Gives an element of a field value the meaning its scheme defines.
    init(_ element: consuming FieldElement) {
        var unparsed: Secret<String>?
        if let range = element.unparsed {
            unparsed = Secret(fieldText(element.octets[range]), byteCount: range.count)
        }
        if element.token == nil, !element.hasParameters, unparsed == nil, !element.scheme.rawValue.isEmpty {
            element.note(.missingContent, "\(element.scheme) stands alone", at: element.offset)
        }
        decoded = Decoded(&element)
        scheme = element.scheme
        self.element = ElementContent(element, unparsed: unparsed)
    }

    /// The auth-params in wire order, duplicates and malformed ones included.
    public var parameters: AuthParameters { element.parameters }

    /// The token that stands instead of auth-params, if any.
    public var token68: Token68? { element.token68 }

    /// What follows the scheme and is neither a token68 nor auth-params, as text; `nil` for well-formed credentials.
    public var unparsed: Secret<String>? { element.unparsed }

    /// What is malformed; empty for credentials that follow their grammar and their scheme.
    public var problems: [FieldProblem] { element.problems }

    /// What the scheme makes of parameters and token.
    public var content: CredentialsContent {
        switch scheme.kind {
        case .basic: .basic(basic)
        case .digest: .digest(DigestCredentials(parameters: parameters))
        case .bearer: .bearer(BearerCredentials(token68: token68, unparsed: unparsed))
        case .other: .other
        case .ntlm, .negotiate, .kerberos:
            switch decoded {
            case .ntlm(let message): .ntlm(message)
            case .negotiate(let token): .negotiate(token)
            case .nothing, .basic: scheme.kind == .ntlm ? .ntlm(nil) : .negotiate(nil)
            }
        }
    }
}

extension Credentials: CustomReflectable {
    /// No children: reflection must not reach a secret value.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// What a scheme makes of the parameters and token of credentials.
public enum CredentialsContent: Sendable {
    /// Basic; `nil` where the token is no base64.
    case basic(BasicCredentials?)
    /// Digest.
    case digest(DigestCredentials)
    /// NTLM; `nil` without a token, or with one that is no NTLM message.
    case ntlm(NTLMMessage?)
    /// Negotiate or Kerberos; `nil` without a token, or with one that cannot be decoded.
    case negotiate(NegotiateToken?)
    /// Bearer.
    case bearer(BearerCredentials)
    /// Any other scheme: see the parameters.
    case other
}

extension Credentials {
    /// The realm the client answers for; `nil` for schemes whose credentials name none.
    public var realm: String? { element.value(.realm) }

    /// Whether the field holds a token with no auth-scheme before it.
    public var isBareToken: Bool { scheme.rawValue.isEmpty && (element.hasToken || unparsed != nil) }

    /// The NTLM message, whether raw or inside SPNEGO.
    public var ntlm: NTLMMessage? {
        switch decoded {
        case .ntlm(let message): message
        case .negotiate(let token): token.ntlm
        case .nothing, .basic: nil
        }
    }

    /// The token of Negotiate or Kerberos.
    public var negotiate: NegotiateToken? {
        if case .negotiate(let token) = decoded { token } else { nil }
    }

    /// The Kerberos message, whether raw or inside SPNEGO.
    public var kerberos: KerberosMessage? { negotiate?.kerberos }

    /// The decoded Basic credentials; `nil` for other schemes and for a token that is no base64.
    public var basic: BasicCredentials? {
        if case .basic(let credentials) = decoded { credentials } else { nil }
    }

    /// The Digest credentials; `nil` for other schemes.
    public var digest: DigestCredentials? {
        scheme.kind == .digest ? DigestCredentials(parameters: parameters) : nil
    }

    /// The Bearer credentials; `nil` for other schemes.
    public var bearer: BearerCredentials? {
        scheme.kind == .bearer ? BearerCredentials(token68: token68, unparsed: unparsed) : nil
    }

    /// The name the client gives itself: Basic's user-id, Digest's username, NTLM's UserName; `nil` where it is not visible.
    public var user: String? {
        switch scheme.kind {
        case .basic: basic?.userID
        case .digest: digest?.user
        case .ntlm, .negotiate, .kerberos: ntlm?.authenticate?.user
        case .bearer, .other: nil
        }
    }
}
