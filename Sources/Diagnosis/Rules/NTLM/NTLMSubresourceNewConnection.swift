import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMSubresourceNewConnection: Rule {
    let page = RulePage(
        id: "ntlm-subresource-new-connection",
        severity: .error,
        step: .continue,
        title: "First page logged in, parallel connections stay at 401",
        what:
            "One connection completes NTLM or Negotiate; others of the same client get a bare 401 and no handshake follows.",
        why: """
            NTLM authenticates one connection. Each parallel connection needs a handshake of its own, and so a credential \
            from the app: where it answers the first challenge alone, styles, scripts and pictures stay away.
            """,
        fix: [
            .client("Answer every challenge, not that of the main frame alone, and keep the credential .forSession."),
            .client(
                """
                A login made with a helper URLSession does not help a WKWebView: the NTLM state stays with that session's \
                connection; only user and password can be taken over.
                """
            ),
        ],
        verify: "Each connection shows its own three messages before its first 200.",
        lookAlikes: ["Connections that run a handshake of their own: normal, however many 401 that makes."],
        supersedes: ["challenge-unanswered", "authorization-only-on-first-request", "ntlm-handshake-abandoned"],
        sources: ["MS-NTHT §1.3", "Apple: URLCredential.Persistence"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            connection 2
            > GET /style.css
            < ↓401
              WWW-Authenticate: NTLM
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            connection 2
            > GET /style.css
            < 401
              WWW-Authenticate: NTLM
            > GET /style.css
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /style.css
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # What a second connection was refused is fetched over the first.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            connection 2
            > GET /style.css
            < 401
              WWW-Authenticate: NTLM
            closed by client
            connection 1
            > GET /style.css
            < 200
            closed by client
            """,
            """
            # An icon that the browser asks for on its own account.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            connection 2
            > GET /favicon.ico
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
        ],
        samples: ["ntlm-subresources-refused"]
    )

    let needs: ChainTraits = [.unanswered, .accepted, .tokenScheme]

    func findings(in chain: Chain) -> Outcome {
        let accepted = chain.exchanges.filter { $0.outcome == .accepted && $0.isConnectionBound }
        guard let login = accepted.last else { return .notApplicable }
        let lastSuccess = chain.lastSuccess?.transaction ?? login.lastLeg.transaction
        let loggedIn = Set(accepted.flatMap(\.connections))
        let silent = chain.finalFailures.filter { event in
            event.kind == .unanswered && !loggedIn.contains(event.transaction.connection)
                && event.transaction.startTime.seconds(since: lastSuccess.endTime) <= 30
                && event.transaction.fields(for: chain.target).schemes.contains { $0.requiresSameConnection }
        }
        guard let first = silent.first else { return .clear }
        let transactions = silent.map(\.transaction)
        if let incompleteness = chain.incompleteness(of: transactions) { return .cannotTell(incompleteness) }
        let numbers = Set(transactions.map(\.connection)).sorted().map { "\($0)" }.joined(separator: ", ")
        let message =
            "connection \(login.connections[0]) is logged in as \(login.accountInQuotes), "
            + "and no handshake follows the 401 on connection \(numbers)"
        return .found([page.finding(message, at: .response(first.transaction), in: transactions)])
    }
}
