import AuthScanBytes
import AuthScanSessions
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanProof

@Suite struct ExchangeProverTests {
    /// curl's messages, and those of a server that checks them: CORP\alice, Lab-Pass-1!.
    private static let negotiate = "TlRMTVNTUAABAAAABoIIAAAAAAAAAAAAAAAAAAAAAAA="
    private static let challenge =
        "TlRMTVNTUAACAAAABAAEADgAAAAGgokCjSgWdUjowP4AAAAAAAAAAIoAigA8AAAACgB8TwAAAA9DT1JQAgAIAEMATwBSAFAAAQAKAEkASQBTADAAMQAE"
        + "ABgAYwBvAHIAcAAuAGUAeABhAG0AcABsAGUAAwAkAGkAaQBzADAAMQAuAGMAbwByAHAALgBlAHgAYQBtAHAAbABlAAUAGABjAG8AcgBwAC4AZQB4AGEA"
        + "bQBwAGwAZQAHAAgAJAhJvnGA3QEAAAAA"
    private static let authenticate =
        "TlRMTVNTUAADAAAAGAAYAEAAAAC6ALoAWAAAAAQABAASAQAABQAFABYBAAALAAsAGwEAAAAAAAAAAAAABoKJApvldP9iY6PjaljNHa09u6QpHC2s5n1n"
        + "vuHtTJNX9WgFKjGQdOIlU9sBAQAAAAAAAAC7Gb5xgN0BKRwtrOZ9Z74AAAAAAgAIAEMATwBSAFAAAQAKAEkASQBTADAAMQAEABgAYwBvAHIAcAAuAGUA"
        + "eABhAG0AcABsAGUAAwAkAGkAaQBzADAAMQAuAGMAbwByAHAALgBlAHgAYQBtAHAAbABlAAUAGABjAG8AcgBwAC4AZQB4AGEAbQBwAGwAZQAHAAgAJAhJ"
        + "vnGA3QEAAAAAAAAAAENPUlBhbGljZVdPUktTVEFUSU9O"

    private func proof(_ transcript: String, _ password: String = "Lab-Pass-1!") throws -> [ExchangeProof] {
        var secrets = KnownSecrets()
        secrets.passwords = [KnownSecrets.Password(user: nil, text: Secret(password))]
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let sessions = SessionBuilder.build(from: capture)
        let proofs = ExchangeProver.prove(sessions, tls: capture.tlsConnections, with: secrets)
        return sessions.exchanges.compactMap { proofs[exchange: $0.number] }
    }

    private func handshake(_ connection: Int, _ challenge: String, status: Int) -> String {
        """
        connection \(connection)
        > GET /a
          Authorization: NTLM \(Self.negotiate)
        < 401
          WWW-Authenticate: NTLM \(challenge)
        > GET /a
          Authorization: NTLM \(Self.authenticate)
        < \(status)

        """
    }

    @Test("the right password, accepted and refused")
    func separatesOutcomes() throws {
        #expect(try proof(handshake(1, Self.challenge, status: 200)).map(\.conclusion) == [.rightAndAccepted])
        let refused = try proof(handshake(1, Self.challenge, status: 401))
        #expect(refused.map(\.conclusion) == [.rightAndRefused] && refused[0].proofs[0].transaction == 2)
        #expect(try proof(handshake(1, Self.challenge, status: 401), "wrong").map(\.conclusion) == [.wrong])
        #expect(try proof(handshake(1, Self.challenge, status: 200), "wrong").map(\.conclusion) == [.wrongAndAccepted])
    }

    @Test("the right password on another connection's challenge, which is named")
    func findsOtherChallenge() throws {
        let transcript =
            "connection 1\n> GET /a\n  Authorization: NTLM \(Self.negotiate)\n< 401\n  WWW-Authenticate: NTLM \(Self.challenge)\n"
            + handshake(2, "{CHALLENGE_MESSAGE}", status: 401)
        let proofs = try proof(transcript)
        #expect(proofs.map(\.conclusion) == [.rightOnOtherChallenge])
        #expect(proofs[0].proofs.map(\.verdict) == [.rightOnOtherChallenge(connection: 1, transaction: 1)])
    }

    @Test("Basic and Digest are held against the password as well, and nothing is said without secrets")
    func coversOtherSchemes() throws {
        let transcript = "connection 1\n> GET /a\n  Authorization: Basic {basic alice:Lab-Pass-1!}\n< 403"
        #expect(try proof(transcript).map(\.conclusion) == [.rightAndAccepted])
        let sessions = try sessions(of: transcript)
        #expect(ExchangeProver.prove(sessions, tls: [], with: KnownSecrets()).isEmpty)
        var hashes = KnownSecrets()
        try hashes.readNTHashes(Array("a4f49c406510bdcab6824ee7c30fd852".utf8))
        #expect(ExchangeProver.prove(sessions, tls: [], with: hashes).isEmpty)
    }

    @Test("the password is right, and the channel binding is not: only a certificate that was seen can tell")
    func holdsChannelBindings() throws {
        let transcript = """
            connection 1 to 198.51.100.20:443 over tls
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE password=Spring-1 channel-binding=BINDING}
            < 401
            """
        let capture = try readCapture(try Transcript(transcript.replacing("BINDING", with: "zero")).capture().bytes)
        let due = try #require(capture.tlsConnections.first?.serverCertificate?.channelBindings)
        let cases: [(String, Proof.Verdict?)] = [
            (Hex.encode(due), .right), ("00112233445566778899aabbccddeeff", .wrong), ("zero", nil), ("no", nil),
        ]
        for (binding, verdict) in cases {
            let bound = try #require(try proof(transcript.replacing("BINDING", with: binding), "Spring-1").first)
            let proof = bound.proofs.first { $0.subject == .channelBindings }
            #expect(proof?.verdict == verdict, "\(binding)")
            #expect(bound.conclusion == .rightAndRefused && bound.contradictions.isEmpty == (verdict != .wrong))
        }
        let wrong = try proof(transcript.replacing("BINDING", with: "00112233445566778899aabbccddeeff"), "Autumn-1")
        #expect(wrong.first?.proofs.map(\.subject) == [.ntlmResponse])
    }
}
