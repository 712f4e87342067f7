import Testing

@testable import AuthScanSchemes

@Suite struct SecretParametersTests {
    private func credentials(_ text: String) -> Credentials { ChallengeParser.parseCredentials(Array(text.utf8)[...]) }

    @Test(
        "an application's own key that stands alone is a token, not the name of a scheme",
        arguments: ["tok_live_4eC39HqLyjWD", "AKIAIOSFODNN7EXAMPLE", "hunter2secret", "x"]
    )
    func takesLoneWordsForTokens(text: String) {
        let value = credentials(text)
        #expect(value.isBareToken && value.scheme.rawValue.isEmpty)
        #expect(value.problems.map(\.kind) == [.missingScheme] && !value.problems[0].message.contains(text))
    }

    @Test("the name of a known scheme that stands alone is one", arguments: ["Negotiate", "ntlm", "Bearer", "Token"])
    func knowsSchemes(text: String) {
        #expect(credentials(text).scheme.rawValue == text && !credentials(text).isBareToken)
    }

    @Test(
        "a part of a broken token is not printed as the name of a parameter",
        arguments: [
            "Basic SECRETPART1!x=", "Bearer SECRET!x==", "Bearer SECRETx=y", "Token SECRET!tok==", "NTLM secret9=1",
        ]
    )
    func redactsNames(text: String) {
        let value = credentials(text)
        let printed = value.parameters.map(\.description) + value.problems.map(\.message)
        #expect(!printed.contains { $0.lowercased().contains("secret") }, "\(printed)")
    }

    @Test("a name that somebody chose stays", arguments: ["Bearer token=abc", "Basic user_id=x", "Custom X-Key.1=abc"])
    func keepsNames(text: String) {
        let name = text.split(separator: " ")[1].prefix { $0 != "=" }
        #expect(credentials(text).parameters.map(\.name) == [String(name)])
    }

    @Test("Digest has one secret of its own, and applications may add others")
    func redactsDigest() {
        let value = credentials("Digest username=\"a\", nonce=\"n\", response=\"0\", password=\"p\", token=\"t\", nc=1")
        #expect(value.parameters.filter(\.isSecret).map(\.name) == ["response", "password", "token"])
    }
}
