import AuthScanSchemes
import AuthScanSessions

struct BearerStatusErrorMismatch: Rule {
    let page = RulePage(
        id: "bearer-status-error-mismatch",
        severity: .note,
        title: "Status and Bearer error code disagree",
        what: "A refusal has a Bearer error code that belongs to another status.",
        why: """
            Clients refresh their token after 401 with invalid_token and give up after 403 with insufficient_scope. With the \
            wrong status they refresh in vain, or do not refresh at all.
            """,
        fix: [
            .server("Answer invalid_token with 401, insufficient_scope with 403, and invalid_request with 400."),
            .client("Go by the error code where there is one."),
        ],
        verify: "Status and error code fit the table of RFC 6750 §3.1.",
        lookAlikes: [
            "insufficient_user_authentication (RFC 9470) or use_dpop_nonce (RFC 9449): their statuses are not in this table.",
            "403 without an error code: the user may not, whatever the token says, authenticated-but-forbidden.",
        ],
        sources: ["RFC 6750 §3.1"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer one
            < ↓401
              WWW-Authenticate: Bearer error="insufficient_scope", scope="app.write"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Bearer one
            < ↓403
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
            """
            # The token is good, and the API wants a stronger login: RFC 9470 answers 401.
            connection 1
            > GET /app
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer error="insufficient_user_authentication", acr_values="mfa"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.bearer, .failedTry]

    /// The status that belongs to each error code.
    ///
    /// - Source: RFC 6750 §3.1.
    private static let statuses = ["invalid_request": 400, "invalid_token": 401, "insufficient_scope": 403]

    func findings(in chain: Chain) -> Outcome {
        let odd = chain.exchanges.map(\.lastLeg.transaction).filter { error(of: $0, chain.target) != nil }
        guard let first = odd.first, let error = error(of: first, chain.target), let status = first.status else {
            return .clear
        }
        let message = "the server answers \(status) with \(error), which belongs to \(Self.statuses[error] ?? 0)"
        return .found([page.finding(message, at: .response(first), in: odd)])
    }

    /// The error code that disagrees with the response's status; `nil` where none does.
    private func error(of transaction: Transaction, _ target: AuthenticationTarget) -> String? {
        guard let status = transaction.status, status >= 400 else { return nil }
        return transaction.fields(for: target).challenges.lazy.filter { $0.scheme.kind == .bearer }
            .compactMap { $0.parameters["error"] }.first { (Self.statuses[$0] ?? status) != status }
    }
}
