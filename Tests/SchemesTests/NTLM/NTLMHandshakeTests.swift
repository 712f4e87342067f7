import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct NTLMHandshakeTests {
    private func message(_ digits: String) throws -> NTLMMessage { try NTLMMessage(decoding: try hex(digits)[...]) }

    @Test("MS-NLMP 4.2.4: two messages that agree")
    func agreeingMessages() throws {
        let messages = [try message(NLMPExamples.challengeV2), try message(NLMPExamples.authenticateV2)]
        let handshake = try #require(NTLMHandshake.handshakes(in: messages).first)
        #expect(handshake.negotiate == nil && handshake.challenge != nil && handshake.authenticate != nil)
        #expect(handshake.remarks.isEmpty)
        let use = try #require(handshake.flagUses.first { $0.name == "NTLMSSP_NEGOTIATE_128" })
        #expect(use == NTLMHandshake.FlagUse(name: use.name, asked: nil, granted: true, used: true))
    }

    @Test("a message that cannot follow begins a new handshake")
    func separatesHandshakes() throws {
        let challenge = try message(NLMPExamples.challengeV2)
        let authenticate = try message(NLMPExamples.authenticateV2)
        let handshakes = NTLMHandshake.handshakes(in: [authenticate, challenge, challenge, authenticate, authenticate])
        #expect(handshakes.map { $0.challenge != nil } == [false, true, true, false])
        #expect(handshakes.map { $0.authenticate != nil } == [true, false, true, true])
    }

    @Test("the client's answer to MS-NLMP 4.2.4 with the challenge of 4.2.2: names changed, bits not granted")
    func disagreeingMessages() throws {
        let messages = [try message(NLMPExamples.challengeV1), try message(NLMPExamples.authenticateV2)]
        let handshake = try #require(NTLMHandshake.handshakes(in: messages).first)
        #expect(handshake.remarks == ["used without being granted: NTLMSSP_NEGOTIATE_EXTENDED_SESSIONSECURITY"])
    }

    @Test("what the server states and the client leaves out or changes is named")
    func comparesAVPairs() throws {
        // MsvAvTimestamp is put before the pairs of MS-NLMP 4.2.4, and the domain's name is another.
        let changed = NLMPExamples.challengeV2
            .replacing("24002400 44000000".filter { $0 != " " }, with: "3000300044000000")
            .replacing("02000c0044006f00", with: "070008000000000000000001" + "02000c0054006f00")
        let messages = [try message(changed), try message(NLMPExamples.authenticateV2)]
        let handshake = try #require(NTLMHandshake.handshakes(in: messages).first)
        #expect(
            handshake.remarks == [
                "the server sent MsvAvTimestamp, and the client sent no message integrity code",
                "the server sent MsvAvTimestamp, and the client an LMv2 response all the same",
                "the client's time is not the one that the server sent in MsvAvTimestamp",
                "the client left out the server's MsvAvTimestamp",
                "the client changed the server's MsvAvNbDomainName",
            ]
        )
    }

    @Test("a handshake that asked for what it did not get")
    func comparesFlags() throws {
        let negotiate = try message("4e544c4d53535000 01000000 078208e2")
        let challenge = try message(NLMPExamples.challengeV1)
        let handshake = NTLMHandshake(negotiate: negotiate.negotiate, challenge: challenge.challenge, authenticate: nil)
        #expect(
            handshake.remarks == [
                "granted without being asked for: NTLMSSP_NEGOTIATE_SEAL, NTLMSSP_NEGOTIATE_SIGN",
                "asked for and not granted: NTLMSSP_NEGOTIATE_EXTENDED_SESSIONSECURITY",
            ]
        )
    }
}
