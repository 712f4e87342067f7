import AuthScanSchemes
import Testing

@Suite struct SecretFieldsTests {
    @Test(
        "fields that grant something by themselves",
        arguments: [
            "Cookie", "set-cookie", "X-Api-Key", "X-Auth-Token", "X-Forwarded-Authorization", "X-Client-Secret",
        ]
    )
    func findsSecrets(name: String) { #expect(SecretFields.isSecret(name)) }

    @Test(
        "fields that do not",
        arguments: ["x-ms-diagnostics", "MicrosoftSharePointTeamServices", "Server", "Content-Type", "Host"]
    )
    func leavesOthers(name: String) { #expect(!SecretFields.isSecret(name)) }
}
