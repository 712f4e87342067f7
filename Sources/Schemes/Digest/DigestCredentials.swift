public import AuthScanBytes

/// Credentials of the Digest scheme.
///
/// - Source: RFC 7616 §3.4.
public struct DigestCredentials: Hashable, Sendable {
    /// The user name; a hash where `userhash` is true, `nil` where `username*` stands instead, or neither.
    public var username: String? { parameters.value(.username) }
    /// The user name of the `username*` parameter, decoded; `nil` where it is missing or cannot be decoded.
    public var usernameExtended: String? { parameters.value(.usernameExtended).flatMap(ExtendedValue.decode) }
    /// Whether `username` is a hash of user name and realm.
    public var userhash: Bool? { parameters.value(.userhash).map { $0.isASCIIEqual(to: "true") } }
    /// The realm, repeated from the challenge.
    public var realm: String? { parameters.value(.realm) }
    /// The effective request URI.
    public var uri: String? { parameters.value(.uri) }
    /// The proof: hexadecimal digits.
    public var response: Secret<String>? { parameters.value(.response).map { Secret($0) } }
    /// The server's nonce, repeated.
    public var nonce: String? { parameters.value(.nonce) }
    /// The client's nonce; required with `qop`.
    public var cnonce: String? { parameters.value(.cnonce) }
    /// The nonce count as on the wire: eight hexadecimal digits, required with `qop`.
    public var nc: String? { parameters.value(.nc) }
    /// The quality of protection the client chose; `nil` for the form of RFC 2069.
    public var qop: String? { parameters.value(.qop) }
    /// What the server wanted back unchanged.
    public var opaque: String? { parameters.value(.opaque) }
    /// The algorithm as on the wire; `nil` means MD5.
    public var algorithm: String? { parameters.value(.algorithm) }
    /// All parameters, which the others are taken from.
    let parameters: AuthParameters

    /// Whether a parameter, named in lower case, came as a quoted-string; `nil` where it is missing.
    public func isQuoted(_ name: String) -> Bool? { parameters.isQuoted(ParameterName(name)) }

    /// The user's name as far as it is visible: `nil` where it is hashed.
    public var user: String? { userhash == true ? nil : username ?? usernameExtended }

    /// The nonce count as a number; `nil` where it is missing or not hexadecimal.
    public var nonceCount: UInt32? { nc.flatMap { UInt32($0, radix: 16) } }

    /// The algorithm in force.
    public var effectiveAlgorithm: DigestAlgorithm { DigestAlgorithm(rawValue: algorithm ?? "MD5") }
}
