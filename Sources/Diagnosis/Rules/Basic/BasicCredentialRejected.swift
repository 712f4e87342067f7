import AuthScanSchemes
import AuthScanSessions

struct BasicCredentialRejected: Rule {
    let page = RulePage(
        id: "basic-credential-rejected",
        severity: .error,
        step: .accept,
        title: "Basic credential refused",
        what: "A request with a well-formed Basic credential is refused by a 401 or 407 that offers Basic afresh.",
        why: """
            The server read user and password and does not accept them: a wrong or expired password, another form of the \
            user name than it expects, or an account that may not sign in.
            """,
        fix: [
            .server("Check the account and its password, and in the server's log the name that arrived."),
            .client("Ask the user again instead of repeating the credential; look at previousFailureCount."),
        ],
        verify: "The request with the credential is answered with another status than 401 or 407.",
        lookAlikes: [
            "A refusal that does not offer Basic: the scheme, not the password, is unwanted.",
            "A typing error that the next try mends: a note.",
        ],
        sources: ["RFC 7617 §2", "RFC 9110 §15.5.2"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic alice:wrong}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.finallyRejected(.basic).filter { exchange in
            exchange.isOffered(.basic) && exchange.lastLeg.credentials.problems.allSatisfy(\.isHarmless)
                && !chain.exchanges.contains { $0.outcome == .accepted && $0.fingerprint == exchange.fingerprint }
        }
        guard let first = refused.first else { return .clear }
        let count = refused.count == 1 ? "" : " \(refused.count) times"
        let who = chain.space.isProxy ? "the proxy" : "the server"
        let message = "\(who) refused the Basic credential of \(first.accountInQuotes)\(count)"
        let transactions = refused.map(\.lastLeg.transaction)
        return .found([page.finding(message, at: .request(transactions[0]), in: transactions)])
    }
}
