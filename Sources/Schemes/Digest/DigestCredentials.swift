public import AuthScanBytes

/// Credentials of the Digest scheme.
///
/// - Source: RFC 7616 §3.4.
public struct DigestCredentials: Hashable, Sendable {
    /// The user name; a hash where `userhash` is true, `nil` where `username*` stands instead, or neither.
    public let username: String?
    /// The user name of the `username*` parameter, decoded; `nil` where it is missing or cannot be decoded.
    public let usernameExtended: String?
    /// Whether `username` is a hash of user name and realm.
    public let userhash: Bool?
    /// The realm, repeated from the challenge.
    public let realm: String?
    /// The effective request URI.
    public let uri: String?
    /// The proof: hexadecimal digits.
    public let response: Secret<String>?
    /// The server's nonce, repeated.
    public let nonce: String?
    /// The client's nonce; required with `qop`.
    public let cnonce: String?
    /// The nonce count as on the wire: eight hexadecimal digits, required with `qop`.
    public let nc: String?
    /// The quality of protection the client chose; `nil` for the form of RFC 2069.
    public let qop: String?
    /// What the server wanted back unchanged.
    public let opaque: String?
    /// The algorithm as on the wire; `nil` means MD5.
    public let algorithm: String?
    /// All parameters, from which rarely asked questions are answered.
    let parameters: [AuthParameter]

    /// Whether a parameter, named in lower case, came as a quoted-string; `nil` where it is missing.
    public func isQuoted(_ name: String) -> Bool? { parameters.first(named: ParameterName(name))?.isQuoted }

    /// The user's name as far as it is visible: `nil` where it is hashed.
    public var user: String? { userhash == true ? nil : username ?? usernameExtended }

    /// The nonce count as a number; `nil` where it is missing or not hexadecimal.
    public var nonceCount: UInt32? { nc.flatMap { UInt32($0, radix: 16) } }

    /// The algorithm in force.
    public var effectiveAlgorithm: DigestAlgorithm { DigestAlgorithm(rawValue: algorithm ?? "MD5") }
}
