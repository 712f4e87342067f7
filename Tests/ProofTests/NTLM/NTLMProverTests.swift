import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import Testing

@testable import AuthScanProof

@Suite struct NTLMProverTests {
    private func proofs(_ challenge: String, _ authenticate: String, _ password: String = "Password") throws -> [Proof]
    {
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: nil, text: Secret(password))]
        return ExchangeProver.prove(try NLMPMessages.handshake(challenge, authenticate), with: secrets)
    }

    @Test("the right password is right for every kind, with the session key of MS-NLMP 4.2.1")
    func verifies() throws {
        let proofs = try proofs(NLMPMessages.challengeV2, NLMPMessages.authenticateV2)
        #expect(proofs.map(\.subject) == [.ntlmResponse, .lmV2Response] && proofs.allSatisfy { $0.verdict == .right })
        #expect(proofs[0].sessionKey?.revealed == [UInt8](repeating: 0x55, count: 16))
        #expect(
            try self.proofs(NLMPMessages.challengeV1, NLMPMessages.authenticateV1).map(\.verdict) == [.right, .right]
        )
        #expect(
            try self.proofs(NLMPMessages.challengeSession, NLMPMessages.authenticateSession).map(\.verdict) == [.right]
        )
    }

    @Test("a wrong password is wrong, and says no more")
    func refutes() throws {
        #expect(
            try proofs(NLMPMessages.challengeV2, NLMPMessages.authenticateV2, "password").map(\.verdict) == [.wrong]
        )
    }

    @Test("the password is right for the server's domain, where the client names another")
    func namesSpelling() throws {
        // "DOMAIN" in the message's field: the proof was made for "Domain", as the server's target information has it.
        let field = NLMPMessages.domain
        let range = try #require(NLMPMessages.authenticateV2.firstRange(of: field))
        let changed = NLMPMessages.authenticateV2.replacingCharacters(range, with: "44004f004d00410049004e00")
        let proof = try #require(try proofs(NLMPMessages.challengeV2, changed).first)
        #expect(proof.verdict == .rightForOther("the server's NetBIOS domain") && proof.isRight)
        #expect(proof.details.map(\.value) == [.text("USER"), .text("Domain")])
    }

    @Test("an NT hash verifies as its password does, but for the LM response")
    func verifiesHash() throws {
        var secrets = KnownSecrets()
        try secrets.readNTHashes(Array("User:a4f49c406510bdcab6824ee7c30fd852\n".utf8))
        let handshake = try NLMPMessages.handshake(NLMPMessages.challengeV1, NLMPMessages.authenticateV1)
        #expect(ExchangeProver.prove(handshake, with: secrets).map(\.verdict) == [.right])
    }

    @Test("what is missing is said")
    func saysWhatIsMissing() throws {
        let whole = try NLMPMessages.handshake(NLMPMessages.challengeV2, NLMPMessages.authenticateV2)
        let alone = NTLMHandshake(negotiate: nil, challenge: nil, authenticate: whole.authenticate)
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: nil, text: Secret("Password"))]
        #expect(
            ExchangeProver.prove(alone, with: secrets).map(\.verdict) == [
                .cannotTell("the CHALLENGE_MESSAGE is not in the capture")
            ]
        )
        secrets.passwords = [KnownSecrets.Password(user: "CORP\\bob", text: Secret("Password"))]
        #expect(
            ExchangeProver.prove(whole, with: secrets).map(\.verdict) == [
                .cannotTell("no secret is known for this user")
            ]
        )
    }
}

extension String {
    /// The text with a range replaced.
    fileprivate func replacingCharacters(_ range: Range<String.Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
