/// A challenge of the Digest scheme.
///
/// - Source: RFC 7616 §3.3.
public struct DigestChallenge: Hashable, Sendable {
    /// The realm; required, `nil` where the server left it out.
    public var realm: String? { parameters.value(.realm) }
    /// The URIs of the protection space; empty means all of the server.
    public var domain: [String] { Self.list(parameters.value(.domain), separators: " ") }
    /// The server's nonce; required, `nil` where the server left it out.
    public var nonce: String? { parameters.value(.nonce) }
    /// What the client must send back unchanged.
    public var opaque: String? { parameters.value(.opaque) }
    /// Whether only the nonce was too old: `true` for "true" in any case, `nil` where the parameter is missing.
    public var stale: Bool? { parameters.value(.stale).map { $0.isASCIIEqual(to: "true") } }
    /// The algorithm as on the wire; `nil` means MD5.
    public var algorithm: String? { parameters.value(.algorithm) }
    /// The offered qualities of protection; empty for the form of RFC 2069.
    public var qop: [String] { Self.list(parameters.value(.qop), separators: ", \t") }
    /// The charset of user name and password; the one defined value is `UTF-8`.
    public var charset: String? { parameters.value(.charset) }
    /// Whether the server accepts a hashed user name.
    public var userhash: Bool? { parameters.value(.userhash).map { $0.isASCIIEqual(to: "true") } }
    /// All parameters, which the others are taken from.
    let parameters: AuthParameters

    /// The names, in lower case, of the parameters that came quoted; computed at each call.
    public var quotedParameters: Set<String> {
        Set(parameters.lazy.filter(\.isQuoted).map { $0.name.lowercased() })
    }

    /// The algorithm in force.
    public var effectiveAlgorithm: DigestAlgorithm { DigestAlgorithm(rawValue: algorithm ?? "MD5") }

    private static func list(_ value: String?, separators: String) -> [String] {
        value?.split { separators.contains($0) }.map(String.init) ?? []
    }
}
