import AuthScanSchemes
import AuthScanSessions

struct AuthorizationWithoutScheme: Rule {
    let page = RulePage(
        id: "authorization-without-scheme",
        severity: .error,
        step: .accept,
        title: "Authorization holds a bare token",
        what: "The Authorization field of a request holds a token alone, with no auth-scheme before it.",
        why: """
            Credentials begin with the name of their scheme. Without it a server that follows the grammar cannot tell a \
            Bearer token from anything else; some gateways accept the bare form, others answer 401.
            """,
        fix: [
            .client(
                "Set the field to \"Bearer \" followed by the token: setValue(\"Bearer \\(token)\", forHTTPHeaderField:)."
            ),
            .server("Do not accept the bare form, so that mistakes show early."),
        ],
        verify: "The field begins with a scheme name and a space.",
        lookAlikes: ["A scheme name that stands alone, as Negotiate without a token."],
        sources: ["RFC 9110 §11.4", "RFC 9110 §11.6.2", "RFC 6750 §2.1"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: {jwt sub=alice exp=+3600}
            < 401
              WWW-Authenticate: Bearer realm="app"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: {jwt sub=alice exp=+3600}
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice exp=+3600}
            < 401
              WWW-Authenticate: Bearer realm="app"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.otherScheme]

    func findings(in chain: Chain) -> Outcome {
        let bare = chain.exchanges.filter { $0.lastLeg.credentials.isBareToken }
        let refused = bare.filter { $0.outcome == .rejected }
        guard refused.isEmpty else {
            return chain.outcome(of: refused, as: page) { "\(field(of: $0)) holds a bare token and is refused" }
        }
        // What works is a risk with the next server, no failure.
        let accepted = bare.map(\.lastLeg.transaction).filter(\.isServed)
        guard let first = accepted.first else { return .clear }
        let message = "\(field(of: bare[0])) holds a bare token, which this server accepts"
        return .found([page.finding(message, at: .request(first), in: accepted, severity: .warning)])
    }

    private func field(of exchange: AuthenticationExchange) -> String {
        exchange.target == .origin ? "Authorization" : "Proxy-Authorization"
    }
}
