/// Which header fields that have nothing to do with HTTP authentication hold a secret all the same.
public enum SecretFields {
    /// Whether a field's name, in any letter case, says that its value grants something by itself.
    public static func isSecret(_ name: String) -> Bool {
        let letters = name.lowercased().filter(\.isLetter)
        return endings.contains { letters.hasSuffix($0) } || parts.contains { letters.contains($0) }
    }

    /// How names end: `Cookie`, `Set-Cookie`, `X-Api-Key`, `X-Auth-Token`, `Cf-Access-Jwt-Assertion`.
    private static let endings = [
        "cookie", "key", "token", "auth", "authorization", "signature", "assertion", "jwt", "session", "sid", "ticket",
        "credential", "credentials", "otp", "pin", "pwd", "code",
    ]

    private static let parts = ["secret", "passw", "passphrase", "sessionid", "apikey"]
}
