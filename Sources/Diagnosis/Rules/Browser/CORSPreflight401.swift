import AuthScanSessions
import AuthScanWire

struct CORSPreflight401: Rule {
    let page = RulePage(
        id: "cors-preflight-401",
        severity: .error,
        step: .challenge,
        title: "The CORS preflight is asked to authenticate",
        what: "A preflight, which never carries credentials, is refused with 401; the request it asks for is not sent.",
        why: """
            A browser asks with OPTIONS before it makes certain requests to another origin, and sends no credentials with \
            that. Only a status of 2xx lets the request follow; a challenge is not answered.
            """,
        fix: [
            .server(
                """
                Answer OPTIONS with Access-Control-Request-Method without authentication: let the CORS middleware run \
                before authentication, in IIS install the CORS module.
                """
            )
        ],
        verify: "The preflight is answered with 2xx, and the request it asked for follows.",
        lookAlikes: [
            "OPTIONS without Access-Control-Request-Method, as WebDAV clients send it.",
            "A preflight that is let through later, or that the request follows nevertheless.",
        ],
        supersedes: ["challenge-unanswered"],
        sources: ["Fetch Standard, CORS-preflight fetch"],
        triggering: [
            """
            connection 1
            > OPTIONS /app
              Origin: https://portal.example
              Access-Control-Request-Method: PUT
            < ↓401
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > OPTIONS /app
            < 401
              WWW-Authenticate: Basic realm="dav"
            closed by client
            """,
            """
            connection 1
            > OPTIONS /app
              Origin: https://portal.example
              Access-Control-Request-Method: PUT
            < 401
            > OPTIONS /app
              Origin: https://portal.example
              Access-Control-Request-Method: PUT
            < 204
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .bareRefusal]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy else { return .notApplicable }
        let all = chain.entries
        let refused = all.filter { entry in
            guard entry.summary.status == 401, !entry.summary.hasCredentials else { return false }
            let transaction = entry.transaction
            return transaction.isPreflight && transaction.request?.fields.contains(.origin) == true
        }.map(\.transaction)
        let stopped = refused.filter { preflight in
            !all.contains { isMadeGood(preflight, by: $0.transaction) }
        }
        guard let first = stopped.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: stopped) { return .cannotTell(incompleteness) }
        let message =
            "the preflight for \(first.path), which browsers send without credentials, is refused with 401, "
            + "so the request it asks for is never sent"
        // Where the server does ask, what is missing is the answer, which a preflight cannot give.
        let step: ChainStep? = first.originFields.challenges.isEmpty ? nil : .answer
        return .found([page.finding(message, at: .response(first), in: stopped, step: step)])
    }

    /// Whether the client got further with the path: a preflight passes, or another request than OPTIONS is made.
    private func isMadeGood(_ preflight: Transaction, by later: Transaction) -> Bool {
        guard later.packet > preflight.packet, later.path == preflight.path else { return false }
        if later.isPreflight { return later.status.map { (200..<300).contains($0) } ?? true }
        return later.request?.method != "OPTIONS"
    }
}
