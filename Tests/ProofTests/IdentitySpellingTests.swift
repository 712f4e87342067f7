import AuthScanSchemes
import Testing

@testable import AuthScanProof

@Suite struct IdentitySpellingTests {
    private func names(_ spellings: [IdentitySpelling]) -> [String?] { spellings.map(\.name) }

    @Test("what was sent comes first, and no spelling comes twice")
    func ordersSpellings() throws {
        let handshake = try NLMPMessages.handshake(NLMPMessages.challengeV2, NLMPMessages.authenticateV2)
        let spellings = IdentitySpelling.ntlm(try #require(handshake.authenticate), handshake.challenge)
        #expect(spellings.first == IdentitySpelling(user: "USER", domain: "Domain", name: nil))
        #expect(Set(spellings.map { [$0.user, $0.domain] }).count == spellings.count)
        let expected = [
            "domain in upper case", "domain in lower case", "empty domain", "workstation name as domain",
            "UPN made of user and domain", "the server's NetBIOS name as domain",
        ]
        for name in expected { #expect(names(spellings).contains(name), "\(name)") }
    }

    @Test("Digest's user with and without its domain")
    func splitsDigestUsers() {
        #expect(
            IdentitySpelling.plain("CORP\\Alice").map(\.user) == ["CORP\\Alice", "corp\\alice", "CORP\\ALICE", "Alice"]
        )
        #expect(IdentitySpelling.plain("alice@corp").last?.user == "alice")
    }
}
