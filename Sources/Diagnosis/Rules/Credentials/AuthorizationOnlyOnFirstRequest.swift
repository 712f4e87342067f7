import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct AuthorizationOnlyOnFirstRequest: Rule {
    let page = RulePage(
        id: "authorization-only-on-first-request",
        severity: .error,
        step: .continue,
        title: "Only the first request carries credentials",
        what:
            "A request with credentials is accepted; later ones to the same space carry neither these nor a cookie, and are refused.",
        why: """
            Basic, Digest and Bearer are good for one request each. A header set by hand on the first URLRequest of a web \
            view is not inherited by links, styles and scripts, so that the page loads and everything else is refused.
            """,
        fix: [
            .client(
                """
                Answer the challenge in the delegate with a credential of persistence .forSession instead of calling \
                setValue(_:forHTTPHeaderField:) on the first request.
                """
            ),
            .client("Or let the login set a cookie, and copy it into the web view's WKHTTPCookieStore before loading."),
            .server("Set a session cookie with the first accepted answer."),
        ],
        verify: "Every request to the space carries Authorization, or a cookie that the first answer set.",
        lookAlikes: [
            "NTLM and Negotiate, which authenticate the connection: ntlm-subresource-new-connection is their sister.",
            "A client that asks bare each time and answers each challenge: double traffic, no failure.",
        ],
        supersedes: ["challenge-unanswered"],
        sources: ["RFC 9110 §11.4", "Apple: URLCredential.Persistence"],
        triggering: [
            """
            connection 1
            > GET /mobile/start
              Authorization: Basic {basic alice:secret}
            < 200
            > GET /mobile/style.css
            < ↓401
              WWW-Authenticate: Basic realm="app"
            > GET /mobile/app.js
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /mobile/start
              Authorization: Basic {basic alice:secret}
            < 200
            > GET /mobile/style.css
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /mobile/style.css
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            connection 1
            > GET /mobile/start
              Authorization: Basic {basic alice:secret}
            < 200
              Set-Cookie: sid=8f2a; Path=/
            > GET /mobile/style.css
              Cookie: sid=8f2a
            < 200
            """,
            """
            connection 1
            > GET /mobile/start
              Authorization: Basic {basic alice:secret}
            < 200
              Set-Cookie: sid=8f2a; Path=/
            > GET /mobile/style.css
              Cookie: sid=8f2a
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.accepted, .failure]

    func findings(in chain: Chain) -> Outcome {
        let suspects = chain.events { $0 == .unanswered || $0 == .bareForbidden }
        guard !suspects.isEmpty else { return .clear }
        let accepted = chain.exchanges.filter { $0.outcome == .accepted && !$0.isConnectionBound }
        guard let first = accepted.first else { return .notApplicable }
        let cookies = Set(accepted.flatMap { $0.lastLeg.transaction.setCookies.map(\.name) })
        let served = chain.traits.contains(.bareForbidden) ? Set(accepted.map(\.lastLeg.transaction.path)) : []
        let agents = Set(accepted.map(\.lastLeg.transaction.userAgent))
        let refused = suspects.filter { event in
            let transaction = event.transaction
            // A 403 without credentials may be an access rule, unless the same resource was served with them.
            guard event.kind == .unanswered || event.kind == .bareForbidden && served.contains(transaction.path),
                transaction.packet > first.lastLeg.transaction.packet, !transaction.isBackgroundFetch,
                agents.contains(transaction.userAgent)
            else { return false }
            // With the session's cookie the request is authenticated its own way, and the session is what failed.
            return cookies.isDisjoint(with: transaction.cookieNames)
        }
        guard let decisive = refused.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: refused.map(\.transaction)) {
            return .cannotTell(incompleteness)
        }
        let message =
            "the request in packet \(first.lastLeg.transaction.packet) carries \(first.scheme) and is accepted; "
            + "\(refused.count == 1 ? "a later one" : "\(refused.count) later ones") without credentials "
            + "\(refused.count == 1 ? "is" : "are") refused with \(decisive.transaction.status ?? 0)"
        let transactions = [first.lastLeg.transaction] + refused.map(\.transaction)
        let isLone = refused.count == 1 && chain.course.successes.count > 2
        let severity: Severity = chain.endsInSuccess || isLone ? .warning : .error
        return .found([page.finding(message, at: .response(decisive.transaction), in: transactions, severity: severity)]
        )
    }
}
