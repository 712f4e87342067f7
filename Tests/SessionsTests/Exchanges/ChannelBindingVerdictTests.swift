import AuthScanSchemes
import TestPipeline
import Testing

@testable import AuthScanSessions

@Suite struct ChannelBindingVerdictTests {
    private static let due: [UInt8] = Array(repeating: 7, count: 16)
    private static let other: [UInt8] = Array(repeating: 8, count: 16)

    /// One NTLM handshake over TLS, or in clear.
    private func verdict(_ binding: String, tls: Bool = true, status: Int = 200) throws -> ChannelBindingVerdict? {
        let transcript = """
            connection 1 to 198.51.100.20:443\(tls ? " over tls" : "")
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE channel-binding=\(binding)}
            < \(status)
            """
        return try #require(try sessions(of: transcript).exchanges.first).channelBinding
    }

    @Test("what a message says is held against what the certificate makes of it")
    func compares() {
        #expect(ChannelBindingVerdict(.present(Self.due), due: Self.due) == .right)
        #expect(ChannelBindingVerdict(.present(Self.other), due: Self.due) == .otherCertificate)
        #expect(ChannelBindingVerdict(.zero, due: Self.due) == .zero)
        #expect(ChannelBindingVerdict(.absent, due: Self.due) == .absent)
    }

    @Test("without a certificate only what needs none is said")
    func needsTheCertificate() {
        #expect(ChannelBindingVerdict(.present(Self.due), due: nil) == nil)
        #expect(ChannelBindingVerdict(.zero, due: nil) == .zero)
        #expect(ChannelBindingVerdict(.absent, due: nil) == .absent)
    }

    @Test("every handshake over TLS has a verdict, accepted or not, and none in clear", arguments: [200, 401])
    func judgesExchanges(status: Int) throws {
        // MD5 over the binding of the certificate that transcripts show.
        #expect(try verdict("67A42627328CA64F699F9B33F1BDEA4D", status: status) == .right)
        #expect(try verdict("00112233445566778899AABBCCDDEEFF", status: status) == .otherCertificate)
        #expect(try verdict("zero", status: status) == .zero)
        #expect(try verdict("no", status: status) == .absent)
        #expect(try verdict("67A42627328CA64F699F9B33F1BDEA4D", tls: false, status: status) == nil)
    }

    @Test("an exchange without an AUTHENTICATE_MESSAGE has no verdict")
    func needsTheMessage() throws {
        let transcript = """
            connection 1 to 198.51.100.20:443 over tls
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
            connection 2 to 198.51.100.20:443 over tls
            > GET /a
              Authorization: Basic {basic alice:secret}
            < 200
            """
        #expect(try sessions(of: transcript).exchanges.map(\.channelBinding) == [nil, nil])
    }
}
