import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMConnClosedAfterChallenge: Rule {
    let page = RulePage(
        id: "ntlm-conn-closed-after-challenge",
        severity: .error,
        step: .handshake,
        title: "Connection is closed between NTLM challenge and answer",
        what: "The response with the CHALLENGE_MESSAGE ends its connection, by announcement or by closing it.",
        why: """
            The challenge belongs to the connection it was sent on. When that ends, the AUTHENTICATE_MESSAGE has nowhere to \
            go, and the client must begin anew, for ever.
            """,
        fix: [
            .network(
                "Use HTTP/1.1 with keep-alive on every hop to hosts with NTLM; look for a proxy that adds Connection: close."
            ),
            .server("Leave keep-alive on, and do not close because of a request body that is still unread."),
            .client("Do not send a large body with the first message; URLSession sends it with the last one alone."),
        ],
        verify: "The response with the challenge leaves the connection open, and the answer follows on it.",
        lookAlikes: ["Connection: close on the first, bare 401: harmless.", "A client that closes of its own accord."],
        supersedes: ["ntlm-handshake-abandoned", "challenge-unanswered"],
        explains: ["ntlm-type3-on-new-connection"],
        sources: ["MS-NTHT §1.3", "RFC 9112 §9.3"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
              Connection: close
            closed by server
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓HTTP/1.0 401 Unauthorized
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by server
            connection 2
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            closed by server
            """,
        ],
        notTriggering: [
            """
            # The client closes.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            """,
            """
            # The server waits for the client, and gives up at last.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            wait 120 s
            closed by server
            """,
            """
            # The client's answer may be among the bytes that the capture lacks.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            lost >
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            closed by server
            """,
            """
            # A new handshake on the next connection succeeds.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by server
            connection 2
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: NTLM
              Connection: close
            closed by server
            connection 2
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ],
        samples: ["ntlm-closed-after-challenge"]
    )

    let needs: ChainTraits = [.refusal, .tokenScheme]

    func findings(in chain: Chain) -> Outcome {
        let found = chain.exchanges.compactMap { exchange in
            closedChallenge(of: exchange, in: chain).map {
                (challenge: $0, answer: exchange.authenticate?.leg.transaction)
            }
        }
        let closed = found.map(\.challenge)
        guard let first = closed.first else { return .clear }
        let announced = closed.filter(\.announcesClose)
        if announced.isEmpty, let incompleteness = chain.incompleteness(of: closed) {
            return .cannotTell(incompleteness)
        }
        let reason =
            first.announcesClose
            ? "the response with the NTLM challenge announces the end of connection \(first.connection)"
            : "the server ended connection \(first.connection) after its NTLM challenge"
        let times = closed.count == 1 ? "" : ", \(closed.count) times in all"
        // What the client then sent elsewhere is what is refused in the end.
        return .found([page.finding(reason + times, at: .response(first), in: closed + found.compactMap(\.answer))])
    }

    /// The transaction whose response brought the challenge, where its connection could not take the answer.
    private func closedChallenge(of exchange: AuthenticationExchange, in chain: Chain) -> Transaction? {
        guard exchange.outcome != .accepted, let challenge = exchange.ntlmChallenge?.leg.transaction,
            exchange.authenticate?.leg.transaction.connection != challenge.connection,
            chain.isEndedByServer(after: challenge), !chain.isMadeGood(after: challenge)
        else { return nil }
        return challenge
    }
}
