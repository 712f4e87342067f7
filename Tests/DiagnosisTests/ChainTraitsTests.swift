import AuthScanSessions
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanDiagnosis

@Suite struct ChainTraitsTests {
    private func traits(of transcript: String) throws -> ChainTraits {
        ChainTraits(try #require(try sessions(of: transcript).sessions.first))
    }

    /// The traits with those of the events, which need the whole capture.
    private func chainTraits(of transcript: String) throws -> ChainTraits {
        let capture = try readCapture(try Transcript(transcript).capture(.plain).bytes)
        let sessions = SessionBuilder.build(from: capture)
        let session = try #require(sessions.sessions.first)
        return Chain(session, in: CaptureContext(capture, sessions)).traits
    }

    @Test("a chain that is well has little beside its scheme")
    func ofAWorkingChain() throws {
        let basic = try traits(of: "connection 1\n> GET /a\n  Authorization: Basic {basic alice:b}\n< 200")
        #expect(basic == [.basic, .accepted, .exposed])
        let digest = "Digest username=\"a\", realm=\"r\", nonce=\"1\", uri=\"/a\", response=\"0\""
        #expect(try traits(of: "connection 1\n> GET /a\n  Authorization: \(digest)\n< 200") == [.digest, .accepted])
    }

    @Test("refusals, unfinished tries and connections without a word are traits")
    func ofFailures() throws {
        let refused = "connection 1\n> GET /a\n  Authorization: Basic {basic alice:b}\n< 401\n  WWW-Authenticate: Basic"
        #expect(
            try traits(of: refused) == [.basic, .exposed, .refusal, .rejected, .rejectedBasic, .failedTry]
        )
        #expect(try traits(of: "connection 1\n> GET /a\n  Authorization: Basic {basic a:b}").contains(.unfinished))
        #expect(try traits(of: "connection 1 refused").contains(.bareConnection))
    }

    @Test("statuses and what is not there are traits")
    func ofTransactions() throws {
        let bare = "connection 1\n> GET /a\n< 401\n  WWW-Authenticate: Basic realm=\"a\"\n"
        let after = { (answer: String) in bare + "> GET /b\n" + answer }
        #expect(try traits(of: bare) == [.refusal, .bareRefusal])
        #expect(try traits(of: after("< 403")).isSuperset(of: [.forbidden, .bareRefusal]))
        #expect(try traits(of: after("< 302")).contains(.redirect))
        #expect(try traits(of: after("< 431")).contains(.sizeRefusal))
        #expect(try traits(of: "connection 1\n> GET /a\n  -User-Agent\n< 401").contains(.noUserAgent))
    }

    @Test("who is turned away after a form login has a trait of its own")
    func ofLostLogins() throws {
        let login = "connection 1\n> POST /login\n  body 40\n< 302\n  Location: /home\n  Set-Cookie: sid=1; Path=/\n"
        #expect(try chainTraits(of: login + "> GET /home\n< 401").isSuperset(of: [.formLogin, .turnedAway]))
        #expect(try !chainTraits(of: login + "> GET /home\n  Cookie: sid=1\n< 200").contains(.turnedAway))
    }

    @Test("repeated refusals and other schemes are traits")
    func ofTries() throws {
        let refusal = "> GET /a\n  Authorization: Basic {basic alice:b}\n< 401\n  WWW-Authenticate: Basic\n"
        let twice = "connection 1\n" + refusal + refusal
        #expect(try !traits(of: twice).contains(.repeatedRejection))
        #expect(try traits(of: twice + refusal).contains(.repeatedRejection))
        let other = "> GET /a\n  Authorization: Bearer one\n< 200"
        #expect(try !traits(of: twice).contains(.severalSchemes))
        #expect(try traits(of: twice + other).isSuperset(of: [.severalSchemes, .accepted, .bearer]))
    }

    @Test("what the client experienced is a trait")
    func ofEvents() throws {
        let challenge = "connection 1\n> GET /a\n< 401\n  WWW-Authenticate: Basic realm=\"a\"\n"
        #expect(try chainTraits(of: challenge + "closed by client").isSuperset(of: [.unanswered, .failure]))
        #expect(try chainTraits(of: challenge + "end wait 3 s").contains(.openChallenge))
        let accepted = "> GET /a\n  Authorization: Basic {basic alice:b}\n< 200\n"
        let well = try chainTraits(of: challenge + accepted)
        #expect(well.contains(.success))
        #expect(well.isDisjoint(with: [.failure, .unanswered, .openChallenge]))
        #expect(try chainTraits(of: challenge + accepted + "> GET /b\n< 403").contains(.bareForbidden))
    }

    @Test("each trait has a bit of its own")
    func areDistinct() {
        let all: [ChainTraits] = [
            .refusal, .forbidden, .bareRefusal, .redirect, .sizeRefusal, .unansweredStream, .noUserAgent, .formLogin,
            .proxyCredentials, .rejected, .repeatedRejection, .unfinished, .accepted, .failedTry, .openTry,
            .rejectedBasic, .rejectedDigest, .rejectedNegotiate, .rejectedBearer, .rejectedOther, .basic, .digest,
            .ntlm, .negotiate, .bearer, .otherScheme, .tokenScheme, .severalSchemes, .unknownScheme, .exposed,
            .refusedHandshake, .severalLogins, .splitHandshake, .namelessLogin, .weakResponse, .targetName, .proxy,
            .bareConnection, .tls, .kdc, .unanswered, .openChallenge, .bareForbidden, .success, .failure,
            .digestFault,
        ]
        #expect(Set(all.map(\.rawValue)).count == all.count)
        #expect(all.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    }
}
