import AuthScanSchemes
import AuthScanSessions

struct NTLMHandshakeAbandoned: Rule {
    let page = RulePage(
        id: "ntlm-handshake-abandoned",
        severity: .error,
        step: .handshake,
        title: "NTLM challenge given, client stays silent",
        what: "The client began an NTLM handshake, got the CHALLENGE_MESSAGE, and never sent the AUTHENTICATE_MESSAGE.",
        why: """
            After the challenge it is the client's turn. An app whose delegate is missing, does not call its completion \
            handler, or was released in between, leaves the load hanging at this point.
            """,
        fix: [
            .client(
                """
                NTLM is a session-level challenge: implement urlSession(_:didReceive:completionHandler:) or \
                webView(_:didReceive:completionHandler:), call the handler exactly once on every path, and keep the \
                URLSession strongly referenced until the task ends.
                """
            ),
            .client("Give the loader one credential: it sends all three messages itself."),
        ],
        verify: "A request with the AUTHENTICATE_MESSAGE follows on the same connection.",
        lookAlikes: [
            "A server that closes the connection after its challenge: ntlm-conn-closed-after-challenge.",
            "A dialog that waits for a person: the answer comes later.",
        ],
        supersedes: ["challenge-unanswered"],
        sources: ["MS-NTHT §1.3", "Apple: URLSessionDelegate"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            end wait 30 s
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            end wait 3 s
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let open = chain.exchanges.filter { $0.lastLeg.continuation?.ntlm != nil && $0.authenticate == nil }
        guard let last = open.last, !chain.endsInSuccess else { return .clear }
        if last.outcome == .unknown {
            let connection = last.lastLeg.transaction.connection
            return .cannotTell(
                Incompleteness("the capture ends too early after a challenge", connections: [connection])
            )
        }
        let abandoned = open.filter { $0.outcome == .abandoned }
        guard let first = abandoned.first, !chain.hasCredentials(after: last.lastLeg.transaction) else { return .clear }
        let transactions = abandoned.map(\.lastLeg.transaction)
        if let incompleteness = chain.incompleteness(of: transactions) { return .cannotTell(incompleteness) }
        let message = "the client did not answer the NTLM challenge of packet \(transactions[0].responsePacket ?? 0)"
        return .found([page.finding(message, at: .response(first.lastLeg.transaction), in: transactions)])
    }
}
