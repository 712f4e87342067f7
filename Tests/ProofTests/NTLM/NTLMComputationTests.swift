import AuthScanSchemes
import Testing

@testable import AuthScanProof

@Suite struct NTLMComputationTests {
    private func computation(
        _ challenge: String,
        _ authenticate: String,
        password: String = "Password"
    ) throws -> NTLMComputation {
        let handshake = try NLMPMessages.handshake(challenge, authenticate)
        return NTLMComputation(
            message: try #require(handshake.authenticate),
            candidate: NTLMComputation.Candidate(
                ntHash: NTLMKeys.ntHash(of: password),
                lmHash: NTLMKeys.lmHash(of: password)
            ),
            serverChallenge: try #require(handshake.challenge).serverChallenge,
            user: "USER",
            domain: "Domain"
        )
    }

    @Test("MS-NLMP 4.2.2: NTLMv1, its LM response, and its keys")
    func computesV1() throws {
        let values = try computation(NLMPMessages.challengeV1, NLMPMessages.authenticateV1)
        #expect(values.isResponseRight == true && values.isLMResponseRight == true)
        #expect(values.sessionBaseKey == (try hex("d87262b0cde4b1cb7499becccdf10784")))
        #expect(values.keyExchangeKey == values.sessionBaseKey)
        #expect(values.exportedSessionKey(exchangingKey: true) == [UInt8](repeating: 0x55, count: 16))
    }

    @Test("MS-NLMP 4.2.2.1.3: the keys that two flags ask for")
    func computesOldKeys() throws {
        let key = try computation(
            NLMPMessages.challengeV1,
            NLMPMessages.authenticateV1.replacing("358280e2", with: "b58280e2")
        )
        #expect(key.keyExchangeKey == (try hex("b09e379f7fbecb1eaf0afdcb0383c8a0")))
        let nonNT = try computation(
            NLMPMessages.challengeV1,
            NLMPMessages.authenticateV1.replacing("358280e2", with: "3582c0e2")
        )
        #expect(nonNT.keyExchangeKey == (try hex("e52cac67419a9a220000000000000000")))
    }

    @Test("MS-NLMP 4.2.3: NTLM2 session")
    func computesSession() throws {
        let values = try computation(NLMPMessages.challengeSession, NLMPMessages.authenticateSession)
        #expect(values.isResponseRight == true)
        #expect(values.keyExchangeKey == (try hex("eb93429a8bd952f8b89c55b87f475edc")))
    }

    @Test("MS-NLMP 4.2.4: NTLMv2 and LMv2")
    func computesV2() throws {
        let values = try computation(NLMPMessages.challengeV2, NLMPMessages.authenticateV2)
        #expect(values.isResponseRight == true && values.isLMv2Right == true)
        #expect(values.sessionBaseKey == (try hex("8de40ccadbc14a82f15cb0ad0de95ca3")))
        #expect(values.exportedSessionKey(exchangingKey: true) == [UInt8](repeating: 0x55, count: 16))
    }

    @Test("another password gives another response, whatever the kind")
    func tellsPasswordsApart() throws {
        for (challenge, authenticate) in [
            (NLMPMessages.challengeV1, NLMPMessages.authenticateV1),
            (NLMPMessages.challengeSession, NLMPMessages.authenticateSession),
            (NLMPMessages.challengeV2, NLMPMessages.authenticateV2),
        ] {
            #expect(try computation(challenge, authenticate, password: "password").isResponseRight == false)
        }
    }
}
