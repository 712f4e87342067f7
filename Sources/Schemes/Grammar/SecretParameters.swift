/// Which auth-params of credentials prove or grant something by themselves.
enum SecretParameters {
    /// Whether a report must redact the parameter; errs on the side of redaction for schemes it does not know.
    static func isSecret(_ name: String, in kind: AuthenticationScheme.Kind) -> Bool {
        switch kind {
        case .digest: name.isASCIIEqual(to: "response")
        // These schemes have no auth-params: what stands there is a token or a password in a wrong form.
        case .basic, .bearer, .ntlm, .negotiate, .kerberos: true
        case .other: isSecretOfOtherScheme(name.lowercased())
        }
    }

    private static func isSecretOfOtherScheme(_ name: String) -> Bool {
        exactNames.contains(name) || parts.contains { name.contains($0) }
    }

    private static let exactNames: Set<String> = [
        "mac", "t", "p", "s", "k", "data", "result", "kc1", "vkc", "hash", "response", "sig", "key", "code", "jwt",
        "auth", "v", "vks", "oauth_verifier",
    ]

    private static let parts = ["token", "secret", "passw", "signature", "session", "apikey", "api_key", "proof"]
}
