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
            """
        ],
        notTriggering: [
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
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let closed = chain.exchanges.filter { exchange in
            exchange.outcome == .broken && exchange.lastLeg.continuation?.ntlm != nil && exchange.authenticate == nil
        }
        guard let first = closed.first, !chain.endsInSuccess else { return .clear }
        let transaction = first.lastLeg.transaction
        let connection = chain.connection(of: transaction)
        let reason =
            transaction.announcesClose
            ? "the response with the NTLM challenge announces the end of its connection"
            : "the server ended connection \(connection.number) after its NTLM challenge"
        let times = closed.count == 1 ? "" : ", \(closed.count) times in all"
        let transactions = closed.map(\.lastLeg.transaction)
        return .found([page.finding(reason + times, at: .response(transaction), in: transactions)])
    }
}
