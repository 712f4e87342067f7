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
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic alice:sceret}
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:80
            connection 2 from 192.0.2.30 to 198.51.100.20:80
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            connection 2
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
            connection 1
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic-latin1 jürgen:secret}
            < 401
              WWW-Authenticate: Basic realm="app", charset="UTF-8"
            closed by client
            """,
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

    let needs: ChainTraits = [.rejectedBasic]

    func findings(in chain: Chain) -> Outcome {
        let unexplained = chain.exchanges.filter { exchange in
            exchange.scheme.kind == .basic && exchange.outcome == .rejected && isUnexplained(exchange, in: chain)
        }
        guard !unexplained.isEmpty else { return .clear }
        let accepted = Set(chain.exchanges.filter { $0.outcome == .accepted }.compactMap(\.fingerprint))
        let refused = unexplained.filter { $0.fingerprint.map(accepted.contains) != true }
        guard let first = refused.first else { return .clear }
        let count = refused.count == 1 ? "" : " \(refused.count) times"
        let who = chain.space.isProxy ? "the proxy" : "the server"
        let message =
            "\(who) refused the Basic credential of \(first.accountInQuotes)\(count)" + chain.secretsClause(of: first)
        let transactions = refused.map(\.lastLeg.transaction)
        guard let last = transactions.last, !chain.isMadeGood(after: last) else {
            let mended = message + "; a later credential is accepted"
            return .found([page.finding(mended, at: .request(transactions[0]), in: transactions, severity: .note)])
        }
        return .found([page.finding(message, at: .request(transactions[0]), in: transactions)])
    }

    /// Whether nothing but the password explains the refusal, as far as the capture shows.
    private func isUnexplained(_ exchange: AuthenticationExchange, in chain: Chain) -> Bool {
        let transaction = exchange.lastLeg.transaction
        guard exchange.isOffered(.basic), exchange.lastLeg.credentials.problems.isEmpty,
            transaction.fields(for: chain.target).credentials.count == 1
        else { return false }
        // Beyond ASCII the charset of the two may differ, be the password ever so right (RFC 7617 §2.1).
        guard exchange.lastLeg.credentials.basic?.charset == .ascii else { return false }
        return chain.isForwardedIntact(transaction)
    }
}
