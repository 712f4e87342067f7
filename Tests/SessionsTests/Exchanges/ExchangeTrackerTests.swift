import AuthScanSessions
import TestPipeline
import Testing

@Suite struct ExchangeTrackerTests {
    @Test("NTLM's three messages are one exchange, with the request that was challenged")
    func tiesTheMessagesTogether() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                < 401
                  WWW-Authenticate: NTLM
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 200
                > GET /style.css
                < 200
                """
        )
        let exchange = try #require(result.exchanges.first)
        #expect(result.exchanges.count == 1)
        #expect(exchange.transactions.map(\.number) == [1, 2, 3])
        #expect(exchange.outcome == .accepted)
        #expect([exchange.user, exchange.domain, exchange.workstation] == ["alice", "CORP", "PC1"])
        #expect(result.sessions.first?.entries.last?.connectionAuthenticatedBy == 0)
    }

    @Test("each request with Basic is an exchange of its own")
    func countsRequests() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /a
                  Authorization: Basic {basic alice:secret}
                < 200
                > GET /b
                  Authorization: Basic {basic alice:secret}
                < 401
                  WWW-Authenticate: Basic realm="app"
                closed by client
                """
        )
        #expect(result.exchanges.map(\.outcome) == [.accepted, .rejected])
        #expect(result.exchanges.map(\.user) == ["alice", "alice"])
    }

    @Test("an AUTHENTICATE_MESSAGE on a new connection joins the challenge that nobody answered")
    func joinsAcrossConnections() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                closed by client
                connection 2
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 401
                  WWW-Authenticate: NTLM
                closed by client
                """
        )
        #expect(result.exchanges.count == 1)
        #expect(result.exchanges.first?.connections == [1, 2])
        #expect(result.exchanges.first?.outcome == .rejected)
    }

    @Test("a capture that begins in the middle of a connection proves no new connection")
    func leavesMidstreamAlone() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                connection 2 without start
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 200
                connection 1
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 200
                """
        )
        #expect(result.exchanges.map(\.connections) == [[1], [2]])
        #expect(result.exchanges.map(\.outcome) == [.accepted, .accepted])
    }

    @Test("a new NEGOTIATE_MESSAGE on the connection starts a new exchange")
    func startsAnew() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /app
                  Authorization: NTLM {NEGOTIATE_MESSAGE}
                < 401
                  WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
                > GET /app
                  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP workstation=PC1}
                < 200
                """
        )
        #expect(result.exchanges.map(\.outcome) == [.abandoned, .accepted])
    }
}
