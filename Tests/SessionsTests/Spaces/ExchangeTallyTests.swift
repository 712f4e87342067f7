import AuthScanSchemes
import TestPipeline
import Testing

@testable import AuthScanSessions

@Suite struct ExchangeTallyTests {
    @Test("what single exchanges show is what the tally of their session shows")
    func countsWhatThereIs() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /a
                  Host: a.example
                  Authorization: Basic {basic bob:wrong}
                < 401
                  WWW-Authenticate: Basic realm="r"
                > GET /a
                  Host: a.example
                  Authorization: Basic {basic bob:secret}
                < 200
                > GET /b
                  Host: a.example
                  Authorization: Bearer abc
                < 200
                connection 2
                > GET /n
                  Host: b.example
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /n
                  Host: b.example
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
                < 200
                connection 3
                > GET /c
                  Host: c.example
                  Authorization: Basic {basic bob:secret}
                """
        )
        #expect(result.sessions.count == 3)
        for session in result.sessions {
            for outcome in AuthenticationExchange.Outcome.allCases {
                #expect(session.tally.count(outcome) == session.exchanges.count { $0.outcome == outcome })
            }
            #expect(session.tally.hasNTLM == session.exchanges.contains(where: \.isNTLM))
            for kind in AuthenticationScheme.Kind.allCases {
                let own = session.exchanges.filter { $0.scheme.kind == kind }
                #expect(session.tally.contains(kind) == !own.isEmpty)
                #expect(session.tally.hasAccepted(kind) == own.contains { $0.outcome == .accepted })
                #expect(session.tally.hasRejected(kind) == own.contains { $0.outcome == .rejected })
            }
        }
        #expect(result.sessions.allSatisfy { !$0.tally.hasDigestMD5 })
        let tallies = result.sessions.map(\.tally)
        #expect(tallies[0].hasRejected(.basic) && tallies[0].hasAccepted(.basic) && tallies[0].hasAccepted(.bearer))
        #expect(tallies[1].hasNTLM && tallies[1].hasAccepted(.ntlm))
        #expect(tallies[2].count(.accepted) == 0)
    }

    @Test(
        "Digest with MD5 is told from other hashes",
        arguments: [("", true), (", algorithm=MD5-sess", true), (", algorithm=SHA-256", false)]
    )
    func tellsTheHash(algorithm: String, isMD5: Bool) throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /a
                  Host: a.example
                  Authorization: Digest username="bob", realm="r", nonce="1", uri="/a", response="0"\(algorithm)
                < 200
                """
        )
        #expect(result.sessions.map(\.tally.hasDigestMD5) == [isMD5])
    }
}
