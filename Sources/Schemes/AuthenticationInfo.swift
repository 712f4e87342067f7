/// What a server says after accepting credentials: an `Authentication-Info` or `Proxy-Authentication-Info` field.
///
/// - Source: RFC 9110 §11.6.3, §11.7.3; RFC 7616 §3.5 for Digest's parameters.
public struct AuthenticationInfo: Sendable {
    /// The auth-params in wire order.
    public let parameters: [AuthParameter]

    /// What is malformed.
    public let problems: [FieldProblem]

    /// The nonce that Digest's next request shall use.
    public var nextNonce: String? { parameters["nextnonce"] }

    /// The quality of protection Digest's response digest was made with.
    public var qop: String? { parameters["qop"] }

    /// The client's nonce, repeated.
    public var cnonce: String? { parameters["cnonce"] }

    /// The nonce count, repeated: eight hexadecimal digits.
    public var nc: String? { parameters["nc"] }
}
