import AuthScanBytes
import Testing

@testable import AuthScanSchemes

@Suite struct AuthenticateMessageDerivedTests {
    @Test("MS-NLMP 4.2.3: the client's nonce stands in the LM response of an NTLM2 session response alone")
    func readsSessionChallenge() throws {
        func nonce(_ digits: String) throws -> [UInt8]? {
            try NTLMMessage(decoding: try hex(digits)[...]).authenticate?.sessionClientChallenge
        }
        #expect(try nonce(NLMPExamples.authenticateSession) == [UInt8](repeating: 0xAA, count: 8))
        #expect(try nonce(NLMPExamples.authenticateV1) == nil)
        #expect(try nonce(NLMPExamples.authenticateV2) == nil)
    }

    @Test("MS-NLMP 3.1.5.1.2: a key is exchanged for signing or sealing alone")
    func tellsWhetherAKeyIsExchanged() {
        #expect(NegotiateFlags([.negotiateKeyExchange, .negotiateSign]).exchangesKey)
        #expect(!NegotiateFlags([.negotiateKeyExchange, .negotiate128]).exchangesKey)
        #expect(!NegotiateFlags([.negotiateSeal]).exchangesKey)
    }
}
