import AuthScanBytes

/// Which auth-params of credentials prove or grant something by themselves.
enum SecretParameters {
    /// Whether a report must redact the parameter; errs on the side of redaction for schemes it does not know.
    static func isSecret(_ name: String, in kind: AuthenticationScheme.Kind) -> Bool {
        switch kind {
        // RFC 7616 has one secret; what applications add on their own may be another.
        case .digest:
            name.isASCIIEqual(to: "response")
                || !digestNames.contains { name.isASCIIEqual(to: $0) } && isSecretOfOtherScheme(name.lowercased())
        // These schemes have no auth-params: what stands there is a token or a password in a wrong form.
        case .basic, .bearer, .ntlm, .negotiate, .kerberos: true
        case .other: isSecretOfOtherScheme(name.lowercased())
        }
    }

    /// The same of a name that was told apart: of Digest's own parameters, one is a secret.
    static func isSecret(_ name: String, _ known: KnownParameter?, in kind: AuthenticationScheme.Kind) -> Bool {
        if kind == .digest, let known { return known == .response }
        return isSecret(name, in: kind)
    }

    /// - Source: RFC 7616 §3.4.
    private static let digestNames = [
        "username", "username*", "userhash", "realm", "uri", "nonce", "cnonce", "nc", "qop", "opaque", "algorithm",
    ]

    /// Whether what stands before `=` looks like a name that somebody chose, rather than like a part of a token.
    ///
    /// Credentials of schemes without auth-params have no such names but by mistake: there only a word in small letters is one.
    static func isName(_ text: String, in kind: AuthenticationScheme.Kind) -> Bool {
        switch kind {
        case .basic, .bearer, .ntlm, .negotiate, .kerberos:
            text.utf8.count <= longestWord && text.utf8.allSatisfy { $0 &- 0x61 < 26 || $0 == 0x5F || $0 == 0x2D }
        case .digest, .other:
            text.utf8.allSatisfy(\.isNameCharacter)
        }
    }

    private static let longestWord = 20

    private static func isSecretOfOtherScheme(_ name: String) -> Bool {
        // Characters are not told apart: a field of a hundred thousand names would take seconds.
        let octets = Array(name.utf8)[...]
        return exactNames.contains(name) || parts.contains { octets.contains(octets: $0) }
    }

    private static let exactNames: Set<String> = [
        "mac", "t", "p", "s", "k", "data", "result", "kc1", "vkc", "hash", "response", "sig", "key", "code", "jwt",
        "auth", "v", "vks", "oauth_verifier",
    ]

    private static let parts = ["token", "secret", "passw", "signature", "session", "apikey", "api_key", "proof"]
        .map { Array($0.utf8) }
}
