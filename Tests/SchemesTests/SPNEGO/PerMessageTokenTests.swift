import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct PerMessageTokenTests {
    @Test("RFC 4121 §4.2.6.1: a MIC token")
    func readsMIC() throws {
        let token = try #require(
            PerMessageToken(decoding: try hex("0404 05 ffffffffff 0000000000000007 a1a2a3a4")[...])
        )
        #expect(
            token.form == .mic && token.sequenceNumber == 7 && token.flagNames == ["SentByAcceptor", "AcceptorSubkey"]
        )
        #expect(token.body.revealed == [0xA1, 0xA2, 0xA3, 0xA4] && token.extraCount == nil)
    }

    @Test("RFC 4121 §4.2.6.2: a Wrap token")
    func readsWrap() throws {
        let token = try #require(PerMessageToken(decoding: try hex("0504 02 ff 000c 001c 0000000000000001 00")[...]))
        #expect(token.form == .wrap && token.flagNames == ["Sealed"] && token.extraCount == 12)
        #expect(token.rightRotationCount == 28)
    }

    @Test("RFC 1964 §1.2: algorithms instead of flags, and a sequence number that is encrypted")
    func readsOldForms() throws {
        let token = try #require(PerMessageToken(decoding: try hex("0201 1100 1000 ffff 0102030405060708 a1")[...]))
        #expect(token.form == .oldWrap && token.signatureAlgorithm == 0x11 && token.sealAlgorithm == 0x10)
        #expect(token.sequenceNumber == nil && token.flags == nil)
    }

    @Test("MS-NLMP 2.2.2.9: NTLM's signature")
    func readsNTLMSignature() throws {
        let token = try #require(PerMessageToken(decoding: try hex("01000000 110782932e6e4fae 02000000")[...]))
        #expect(token.form == .ntlm && token.sequenceNumber == 2 && token.body.byteCount == 8)
    }

    @Test("a cut header, or other first octets, are no such token")
    func refusesOthers() throws {
        let bytes = try hex("0404 05 ffffffffff 0000000000000007")
        for count in bytes.indices { #expect(PerMessageToken(decoding: bytes[..<count]) == nil) }
        #expect(PerMessageToken(decoding: try hex("0100 0001 110782932e6e4fae 02000000")[...]) == nil)
    }
}
