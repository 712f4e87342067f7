import AuthScanSchemes
import AuthScanSessions

struct ChallengeUnanswered: Rule {
    let page = RulePage(
        id: "challenge-unanswered",
        severity: .error,
        title: "The client never answers a challenge",
        what: "A 401 or 407 offers at least one scheme, and no credentials follow although the client had the time.",
        why: """
            A challenge only asks. Where the app has no credential, its delegate is missing, the dialog is cancelled, or \
            the site is not on the list for single sign-on, the refusal stays the final answer.
            """,
        fix: [
            .client(
                """
                Answer the challenge: urlSession(_:task:didReceive:completionHandler:) or \
                webView(_:didReceive:completionHandler:), and call the handler exactly once on every path.
                """
            ),
            .client("For single sign-on put the host on the list of the Kerberos SSO extension profile."),
        ],
        verify: "A request with Authorization follows the 401.",
        lookAlikes: [
            "Icons and manifests that browsers fetch without credentials: harmless.",
            "A person who types for a while: credentials follow later, perhaps on another connection.",
        ],
        sources: ["RFC 9110 §11.4", "Apple: URLSessionDelegate, WKNavigationDelegate"],
        triggering: [
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            end wait 30 s
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
            end wait 3 s
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            wait 48 s
            closed by server
            connection 2
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.refusal]

    func findings(in chain: Chain) -> Outcome {
        let silent = chain.unansweredChallenges.filter { !chain.hasCredentials(after: $0.transaction) }
        guard let first = silent.first else { return chain.openOutcome }
        let transactions = silent.map(\.transaction)
        if let incompleteness = chain.incompleteness(of: transactions) { return .cannotTell(incompleteness) }
        let names = first.transaction.fields(for: chain.target).schemes.map(\.rawValue).joined(separator: ", ")
        let status = chain.target.refusalStatus
        let end =
            switch chain.provenSilence(after: first.transaction) {
            case .closed(let packet)?: "the client closed the connection in packet \(packet)"
            case .seconds(let seconds)?: "nothing came for \(seconds) s"
            case nil: "no credentials came"
            }
        let message = "the client did not answer the \(status) that offers \(names): \(end)"
        return .found([page.finding(message, at: .response(first.transaction), in: transactions)])
    }
}
