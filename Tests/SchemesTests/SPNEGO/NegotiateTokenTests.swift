import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanSchemes

@Suite struct NegotiateTokenTests {
    private static let recorded = [
        RecordedToken.apReq, RecordedToken.apRep, RecordedToken.krbError, RecordedToken.spnegoNTLM,
    ]

    private func decode(_ token: String) throws -> NegotiateToken {
        try NegotiateToken(decoding: RecordedToken.bytes(token)[...])
    }

    /// All that is noted about a token and what it carries.
    private func problems(_ token: NegotiateToken) -> [DecodeError] {
        (token.spnego?.problems ?? []) + [token.spnego?.inner?.problem].compactMap { $0 } + (token.ntlm?.problems ?? [])
    }

    @Test func readsInitWithKerberos() throws {
        let token = try decode(RecordedToken.apReq)
        let first = try #require(token.spnego?.negTokenInit)
        #expect(first.thisMech == .spnego && first.mechTypes == [.kerberos] && first.reqFlags == nil)
        #expect(first.mechToken?.offset == 43 && !first.isTokenOfOtherMechanism && !first.isNegTokenInit2)
        let request = try #require(token.kerberos?.apReq)
        #expect(request.ticket.realm == "CORP.EXAMPLE" && request.ticket.sname.text == "HTTP/intranet.corp.example")
        #expect(request.ticket.encPart.etype.name == "aes256-cts-hmac-sha1-96" && request.ticket.encPart.kvno == 2)
        #expect(request.ticket.encPart.cipher.byteCount == 359 && request.authenticator.kvno == nil)
        #expect(request.apOptionNames == ["mutual-required"] && request.thisMech == .kerberos)
    }

    @Test func readsRespWithKerberos() throws {
        let reply = try decode(RecordedToken.apRep)
        #expect(reply.spnego?.negTokenResp?.negState == .acceptCompleted)
        #expect(reply.spnego?.negTokenResp?.supportedMech == .kerberos)
        #expect(reply.kerberos?.apRep?.encPart.etype.rawValue == 18)
        let refusal = try decode(RecordedToken.krbError)
        #expect(refusal.spnego?.negTokenResp?.negState?.name == "reject")
        let error = try #require(refusal.kerberos?.krbError)
        #expect(error.errorCode.name == "KRB_AP_ERR_BAD_INTEGRITY" && error.sname.text == "HTTP/badkey.corp.example")
        #expect(error.stime.text == "20261130023438Z" && error.stime.secondsSinceEpoch == 1_796_006_078)
        #expect(error.susec == 380_144 && error.ctime == nil && error.cname == nil && error.eText == nil)
    }

    @Test func readsNTLMWithAndWithoutWrapping() throws {
        let wrapped = try decode(RecordedToken.spnegoNTLM)
        #expect(wrapped.spnego?.negTokenInit?.mechTypes == [.ntlm] && wrapped.isWrapped)
        #expect(wrapped.ntlm?.messageName == "NEGOTIATE_MESSAGE")
        let raw = try NegotiateToken(decoding: hex(NLMPExamples.authenticateV2)[...])
        #expect(!raw.isWrapped && raw.ntlm?.authenticate?.user == "User")
    }

    @Test("RFC 4178 §4.2.1: all fields of a NegTokenInit")
    func readsAllFieldsOfInit() throws {
        let token = try NegotiateToken(
            decoding: hex(
                "a02e302c" + "a00e300c060a2b06010401823702020a" + "a10403020160" + "a20e040c4e544c4d5353500000000000"
                    + "a3040402abcd"
            )[...]
        )
        let first = try #require(token.spnego?.negTokenInit)
        #expect(first.reqFlags?.names == ["mutualFlag", "replayFlag"] && first.mechListMIC == [0xAB, 0xCD])
        #expect(first.thisMech == nil && first.mechToken?.problem != nil && first.problems.isEmpty)
    }

    @Test("MS-SPNG 2.2.1: a server's hints, with the integrity code behind them")
    func readsHints() throws {
        let mechTypes = "a00e300c060a2b06010401823702020a"
        let token = try NegotiateToken(
            decoding: hex("a020301e" + mechTypes + "a3073005a0031b0141" + "a4030401ff")[...]
        )
        let first = try #require(token.spnego?.negTokenInit)
        #expect(first.isNegTokenInit2 && first.negHints?.hintName == "A" && first.mechListMIC == [0xFF])
        #expect(token.spnego?.name == "NegTokenInit2" && first.problems.isEmpty)
    }

    @Test("genotrance/px#29: an answer that asks for the integrity code")
    func readsRequestMIC() throws {
        let token = try decode("oRUwE6ADCgEDoQwGCisGAQQBgjcCAgo=")
        #expect(token.spnego?.negTokenResp?.negState == .requestMIC)
        #expect(token.spnego?.negTokenResp?.supportedMech == .ntlm && token.spnego?.inner == nil)
        let challenge = challenges("NTLM oRUwE6ADCgEDoQwGCisGAQQBgjcCAgo=")[0]
        #expect(challenge.problems.map(\.kind) == [.otherSchemesToken] && challenge.negotiate == token)
    }

    @Test func otherMechanismThanPreferredIsSeen() throws {
        let token = try NegotiateToken(
            decoding: hex(
                "a0" + "2b" + "3029" + "a00d300b06092a864886f712010202" + "a218" + "0416" + "4e544c4d53535000"
                    + "01000000" + "07020000" + "000000000000"
            )[...]
        )
        #expect(token.spnego?.negTokenInit?.isTokenOfOtherMechanism == true)
    }

    @Test("every proper prefix is refused or noted, and the whole is clean", arguments: recorded)
    func refusesPrefixes(token: String) throws {
        let bytes = try RecordedToken.bytes(token)
        #expect(try problems(NegotiateToken(decoding: bytes[...])).isEmpty)
        for count in 0..<bytes.count {
            guard let value = try? NegotiateToken(decoding: bytes[..<count]) else { continue }
            #expect(!problems(value).isEmpty, "\(count) bytes")
        }
    }

    @Test("one byte too many is noted", arguments: recorded)
    func notesTrailingByte(token: String) throws {
        let bytes = try RecordedToken.bytes(token) + [0]
        #expect(try problems(NegotiateToken(decoding: bytes[...])).map(\.problem) == [.trailingBytes(count: 1)])
    }

    @Test("a cut token still shows its mechanisms")
    func keepsMechanismsOfCutToken() throws {
        let bytes = try RecordedToken.bytes(RecordedToken.apReq)
        #expect(try NegotiateToken(decoding: bytes[..<200]).spnego?.negTokenInit?.mechTypes == [.kerberos])
    }

    @Test(
        arguments: [("4e45474f45585453", "NEGOEX"), ("050400ff", "GSS-API Wrap token"), ("00", nil)]
            as [(String, String?)]
    )
    func namesOtherTokens(digits: String, label: String?) throws {
        guard case .unknown(let token) = try NegotiateToken(decoding: hex(digits)[...]) else {
            Issue.record("another kind of content")
            return
        }
        #expect(token.label == label)
    }

    @Test("no change of a token's bytes traps", arguments: 0..<400 as Range<UInt64>)
    func survivesMutation(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = try RecordedToken.bytes(Self.recorded[Int(seed) % Self.recorded.count])
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0..<min(bytes.count, 120), using: &random)
            bytes[place] =
                [0, 0x30, 0x7F, 0x80, 0x84, 0xFF, .random(in: 0...255, using: &random)].randomElement(using: &random)
                ?? 0
        }
        _ = try? NegotiateToken(decoding: bytes[...])
        _ = try? KDCMessage(decoding: bytes[...])
    }

    @Test("an answer in a GSS-API framing, as Windows 2000 sends it, names its mechanism")
    func readsFramedAnswer() throws {
        let token = try NegotiateToken(
            decoding: try RecordedToken.bytes("YB4GBisGAQUFAqEUMBKgAwoBAKELBgkqhkiG9xIBAgI=")[...]
        )
        let answer = try #require(token.spnego?.negTokenResp)
        #expect(answer.thisMech == .spnego && answer.negState == .acceptCompleted && answer.problems.isEmpty)
        #expect(
            try NegotiateToken(decoding: try RecordedToken.bytes("oRUwE6ADCgEC")[...]).spnego?.negTokenResp?.thisMech
                == nil
        )
    }
}
