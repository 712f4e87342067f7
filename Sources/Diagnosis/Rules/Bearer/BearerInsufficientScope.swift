import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct BearerInsufficientScope: Rule {
    let page = RulePage(
        id: "bearer-insufficient-scope",
        severity: .error,
        step: .authorize,
        title: "Token lacks a scope",
        what: "The server refuses a request with insufficient_scope: the token is good, but not for this.",
        why: """
            A token carries the scopes that were asked for and consented to. A request that needs another one is refused \
            with any token of that kind; a refresh brings the same scopes again.
            """,
        fix: [
            .client("Ask for the scope that the challenge names, with a new authorization if consent is needed."),
            .server("Name the scope in the challenge, and answer 403 rather than 401."),
        ],
        verify: "The request with a token that has the scope is accepted.",
        lookAlikes: ["invalid_token: the token itself is refused."],
        supersedes: ["authenticated-but-forbidden", "stale-credentials-lockout"],
        sources: ["RFC 6750 §3.1", "RFC 6749 §3.3"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer one
            < ↓403
              WWW-Authenticate: Bearer error="insufficient_scope", scope="app.write"
            closed by client
            """
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
            connection 1
            > GET /app
              Authorization: Bearer one
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.bearer, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.map(\.lastLeg.transaction).filter { challenge(of: $0, chain.target) != nil }
        guard let first = refused.first, let last = refused.last else { return .clear }
        // Other requests succeed with the same token: what counts is this one.
        let isMended = chain.entries.contains {
            $0.transaction.packet > last.packet && $0.transaction.isServed
                && $0.transaction.request?.target == last.request?.target
                && $0.transaction.request?.method == last.request?.method
        }
        let scope = challenge(of: first, chain.target)?.parameters["scope"]
        let name = scope.map { " \($0.excerptInQuotes)" } ?? ""
        let message =
            "the server refuses the token for want of a scope\(name)" + (isMended ? "; later it is accepted" : "")
        return .found([page.finding(message, at: .response(first), in: refused, severity: isMended ? .note : nil)])
    }

    private func challenge(of transaction: Transaction, _ target: AuthenticationTarget) -> Challenge? {
        guard let status = transaction.status, status >= 400 else { return nil }
        return transaction.fields(for: target).challenges.first {
            $0.scheme.kind == .bearer && $0.parameters["error"] == "insufficient_scope"
        }
    }
}
