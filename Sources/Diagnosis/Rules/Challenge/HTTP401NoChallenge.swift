import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct HTTP401NoChallenge: Rule {
    let page = RulePage(
        id: "http-401-no-challenge",
        severity: .error,
        step: .challenge,
        title: "401 without a challenge",
        what: "The server answers 401, but the response has no WWW-Authenticate field.",
        why: """
            A client learns from WWW-Authenticate which schemes it may use and for which realm. Without the field there \
            is nothing to answer: URLSession and WKWebView never call the authentication delegate, so the app sees a \
            bare 401 or a blank page, and no password prompt appears.
            """,
        fix: [
            .server("Add at least one challenge to every 401: RFC 9110 demands it."),
            .network("Look for a proxy, gateway or CDN that removes WWW-Authenticate from responses."),
            .client(
                """
                No URLAuthenticationChallenge will come. Set Authorization on the URLRequest, or treat this 401 as the \
                application's own login.
                """
            ),
        ],
        verify: "The 401 carries a WWW-Authenticate field, and the next request of the client carries credentials.",
        lookAlikes: [
            "A CORS preflight that is refused with 401: the preflight never carries credentials.",
            "An API that never challenges and whose client succeeds with its next request: context only.",
        ],
        explains: ["challenge-unanswered"],
        sources: ["RFC 9110 §15.5.2", "RFC 9110 §11.6.1"],
        triggering: [
            """
            connection 1
            > GET /app
            < ↓401
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < ↓401
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            connection 1
            > OPTIONS /app
              Origin: https://portal.example
              Access-Control-Request-Method: PUT
            < 401
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy else { return .notApplicable }
        let refused = chain.entries.map(\.transaction).filter {
            $0.status == 401 && $0.originFields.challenges.isEmpty && $0.request?.method != "CONNECT" && !$0.isPreflight
        }
        guard let first = refused.first else { return .clear }
        let certain = refused.filter { $0.response?.isHeadComplete == true }
        guard let decisive = certain.first else {
            return .cannotTell(Incompleteness("the capture cut the head of the 401", connections: [first.connection]))
        }
        let severity: Severity = isMadeGood(after: decisive, in: chain) ? .note : .error
        return .found([page.finding(message(for: certain), at: .response(decisive), in: certain, severity: severity)])
    }

    /// Whether the client's next request to the space succeeds: an API that never challenges, and a client that knows.
    private func isMadeGood(after refused: Transaction, in chain: Chain) -> Bool {
        guard let next = chain.entries.first(where: { $0.summary.packet > refused.packet }) else { return false }
        return next.transaction.status.map { $0 < 400 } ?? false
    }

    private func message(for refused: [Transaction]) -> String {
        let count = refused.count == 1 ? "a 401" : "\(refused.count) responses with 401"
        return "the server sent \(count) without WWW-Authenticate, so the client cannot know how to authenticate"
    }
}
