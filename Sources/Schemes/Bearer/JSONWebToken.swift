/// The readable part of a JSON Web Token: its header and, unless it is encrypted, its claims.
///
/// - Source: RFC 7519 §3, §4.1; RFC 7515 §3.1; RFC 7516 §3.1.
public struct JSONWebToken: Hashable, Sendable {
    /// How the token is protected.
    public enum Serialization: String, Hashable, Sendable {
        /// Three parts: signed, claims readable.
        case jws = "JWS"
        /// Five parts: encrypted, only the header is readable.
        case jwe = "JWE"
    }

    /// How the token is protected.
    public let serialization: Serialization
    /// The header: `alg`, `typ`, `kid` and others.
    public let header: [String: JSONValue]
    /// The claims; empty for an encrypted token.
    public let claims: [String: JSONValue]
}
