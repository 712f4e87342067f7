/// A challenge of the Digest scheme.
///
/// - Source: RFC 7616 §3.3.
public struct DigestChallenge: Hashable, Sendable {
    /// The realm; required, `nil` where the server left it out.
    public let realm: String?
    /// The URIs of the protection space; empty means all of the server.
    public let domain: [String]
    /// The server's nonce; required, `nil` where the server left it out.
    public let nonce: String?
    /// What the client must send back unchanged.
    public let opaque: String?
    /// Whether only the nonce was too old: `true` for "true" in any case, `nil` where the parameter is missing.
    public let stale: Bool?
    /// The algorithm as on the wire; `nil` means MD5.
    public let algorithm: String?
    /// The offered qualities of protection; empty for the form of RFC 2069.
    public let qop: [String]
    /// The charset of user name and password; the one defined value is `UTF-8`.
    public let charset: String?
    /// Whether the server accepts a hashed user name.
    public let userhash: Bool?
    /// All parameters, from which rarely asked questions are answered.
    let parameters: [AuthParameter]

    /// The names, in lower case, of the parameters that came quoted; computed at each call.
    public var quotedParameters: Set<String> {
        Set(parameters.lazy.filter(\.isQuoted).map { $0.name.lowercased() })
    }

    /// The algorithm in force.
    public var effectiveAlgorithm: DigestAlgorithm { DigestAlgorithm(rawValue: algorithm ?? "MD5") }
}
