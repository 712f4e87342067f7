public import AuthScanBytes

/// Credentials of the Bearer scheme: one access token.
///
/// - Source: RFC 6750 §2.1.
public struct BearerCredentials: Hashable, Sendable {
    private let token68: Token68?
    private let unparsed: Secret<String>?

    init(token68: Token68?, unparsed: Secret<String>?) {
        self.token68 = token68
        self.unparsed = unparsed
    }

    /// The token; `nil` where the scheme stands alone.
    public var token: Secret<String>? { token68?.text ?? unparsed }

    /// The token decoded as a JSON Web Token; `nil` where it is none, as with opaque tokens.
    ///
    /// Nothing is kept: each call decodes anew.
    public func jsonWebToken() -> JSONWebToken? {
        token.flatMap { $0.withRevealed { JSONWebToken(decoding: $0) } }
    }
}
