import AuthScanSchemes
import AuthScanSessions

struct AuthorizationOverwrittenByAppToken: Rule {
    let page = RulePage(
        id: "authorization-overwritten-by-app-token",
        severity: .error,
        step: .continue,
        title: "Application token replaces the gateway's credential",
        what: """
            A server accepts the user's credential, then a request brings a token of another scheme instead and is refused \
            with a challenge for the first scheme.
            """,
        why: """
            A request has one Authorization field. Where a gateway asks for Basic and the application behind it puts its \
            own Bearer token into the same field, the gateway sees no credential of its own and asks again.
            """,
        fix: [
            .server(
                "Move one of the layers elsewhere: a cookie, a field of its own for the token, or client certificates."
            ),
            .network("Let the gateway ask for its credential with a form and a cookie instead of Basic."),
        ],
        verify: "Requests with the application's token pass the gateway.",
        lookAlikes: ["A token refused with a Bearer challenge: the token is the matter, not the field."],
        supersedes: ["credential-scheme-not-offered", "no-common-scheme", "authorization-without-scheme"],
        sources: ["RFC 9110 §11.6.2"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            > ↓GET /api
              Authorization: Bearer {jwt sub=alice exp=+3600}
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
            < 200
            > GET /api
              Authorization: Bearer {jwt sub=alice exp=+3600}
            < 401
              WWW-Authenticate: Bearer realm="app", error="invalid_token"
            closed by client
            """,
            """
            connection 1
            > GET /api
              Authorization: Bearer {jwt sub=alice exp=+3600}
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /api
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.rejected, .accepted, .severalSchemes]

    func findings(in chain: Chain) -> Outcome {
        var accepted = UsedSchemes()
        var overwritten: [AuthenticationExchange] = []
        for exchange in chain.exchanges {
            if exchange.outcome == .accepted, exchange.lastLeg.transaction.isServed { accepted.insert(exchange.scheme) }
            if isOverwritten(exchange, accepted) { overwritten.append(exchange) }
        }
        return chain.outcome(of: overwritten, as: page, confidence: .likely) { exchange in
            let offered = exchange.lastLeg.transaction.fields(for: exchange.target).schemes.first {
                accepted.contains($0)
            }
            let name = exchange.scheme.rawValue.isEmpty ? "a bare token" : exchange.scheme.rawValue
            return """
                \(offered?.rawValue ?? "") was accepted, then a request brings \(name) in its place and is refused with a \
                challenge for \(offered?.rawValue ?? "")
                """
        }
    }

    private func isOverwritten(_ exchange: AuthenticationExchange, _ accepted: UsedSchemes) -> Bool {
        guard exchange.outcome == .rejected, exchange.scheme.kind == .bearer || exchange.scheme.kind == .other else {
            return false
        }
        let offered = exchange.lastLeg.transaction.fields(for: exchange.target).schemes
        return !offered.contains(exchange.scheme) && offered.contains { accepted.contains($0) }
    }
}
