import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct AuthorizationLostBeforeServer: Rule {
    let page = RulePage(
        id: "authorization-lost-before-server",
        severity: .error,
        step: .accept,
        title: "An intermediary takes the client's credential away",
        what: "The request has Authorization on the client's side of a proxy, and none on the server's side.",
        why: """
            The server refuses a request that, for all it can see, brings no credential; every password is refused alike.
            """,
        fix: [
            .network(
                """
                Let Authorization pass: look for proxy_set_header Authorization "" (nginx), an API gateway's header list, \
                CGIPassAuth (Apache with CGI or FastCGI).
                """
            )
        ],
        verify: "The request has the same Authorization on both sides of the proxy.",
        lookAlikes: ["A gateway that checks the credential itself and signs in to the server with another."],
        supersedes: [
            "basic-credential-rejected", "digest-credential-rejected", "ntlm-credential-rejected", "negotiate-rejected",
            "stale-credentials-lockout", "no-common-scheme", "challenge-unanswered",
        ],
        sources: ["RFC 9110 §11.6.2"],
        triggering: [
            """
            connection 1 from 192.0.2.10 to 198.51.100.1:80
            > ↓GET /app
              Authorization: Basic {basic alice:secret}
            connection 2 from 198.51.100.1 to 198.51.100.12:8080
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="intranet"
            connection 1
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 from 192.0.2.10 to 198.51.100.1:80
            > GET /app
              Authorization: Basic {basic alice:secret}
            connection 2 from 198.51.100.1 to 198.51.100.12:8080
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Basic realm="intranet"
            connection 1
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by client
            """,
            """
            # From the client's side alone nobody can tell.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejected]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let rejected = chain.exchanges.filter { $0.outcome == .rejected }.map(\.lastLeg.transaction)
        let stripped = rejected.compactMap { refused in
            copyWithoutCredentials(of: refused, in: chain).map { (refused: refused, copy: $0) }
        }
        guard let first = stripped.first else { return .clear }
        let connection = chain.connection(of: first.copy)
        let message =
            "the credential of packet \(first.refused.packet) is missing from the request that reaches \(connection.server)"
        let severity: Severity = chain.isMadeGood(after: first.refused) ? .note : .error
        let transactions = stripped.flatMap { [$0.refused, $0.copy] }
        return .found([page.finding(message, at: .request(first.refused), in: transactions, severity: severity)])
    }

    /// What the proxy made of a request, where it has no Authorization any more.
    private func copyWithoutCredentials(of refused: Transaction, in chain: Chain) -> Transaction? {
        guard let copy = chain.context.forwardedCopy(of: refused, from: chain.session.client),
            copy.request?.isHeadComplete == true, copy.originFields.credentials.isEmpty
        else { return nil }
        return copy
    }
}
