import AuthScanSchemes
import AuthScanSessions

struct BearerClaimsChallenge: Rule {
    let page = RulePage(
        id: "bearer-claims-challenge",
        severity: .error,
        step: .accept,
        title: "Claims challenge is not honoured",
        what: "A 401 names claims that the token must have, and the client sends the very same token again.",
        why: """
            With conditional access an API can ask at any time for a token that satisfies more claims. The token at hand may \
            be valid for an hour yet; it will be refused until a new one is fetched with those claims.
            """,
        fix: [
            .client(
                """
                Pass the claims parameter to the token request (MSAL: MSALClaimsRequest) and declare the client capability \
                cp1.
                """
            ),
            .server("Check the conditional access policy that applies to the user."),
        ],
        verify: "The request after the claims challenge carries another token.",
        lookAlikes: ["A request that was under way when the challenge came."],
        supersedes: ["stale-credentials-lockout", "bearer-refresh-loop"],
        sources: ["Microsoft: Claims challenges, claims requests, and client capabilities", "RFC 6750 §3"],
        triggering: [
            """
            connection 1
            > GET /me
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer realm="", error="insufficient_claims", claims="eyJhIjoxfQ=="
            > ↓GET /me
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer realm="", error="insufficient_claims", claims="eyJhIjoxfQ=="
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /me
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer realm="", error="insufficient_claims", claims="eyJhIjoxfQ=="
            > GET /me
              Authorization: Bearer two
            < 200
            """,
            """
            connection 1
            > GET /me
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer realm="", error="invalid_token"
            > GET /me
              Authorization: Bearer one
            < 401
              WWW-Authenticate: Bearer realm="", error="invalid_token"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBearer]

    func findings(in chain: Chain) -> Outcome {
        var challenged: AuthenticationExchange?
        var ignored: [AuthenticationExchange] = []
        for exchange in chain.exchanges where exchange.scheme.kind == .bearer {
            if let earlier = challenged, exchange.outcome == .rejected, exchange.fingerprint == earlier.fingerprint,
                exchange.lastLeg.transaction.packet > earlier.lastLeg.transaction.responsePacket ?? .max
            {
                ignored.append(exchange)
            }
            if exchange.outcome == .rejected, asksForClaims(exchange) { challenged = exchange }
        }
        guard let last = ignored.last, !chain.isMadeGood(after: last.lastLeg.transaction, within: 60) else {
            return .clear
        }
        return chain.outcome(of: ignored, as: page) { _ in
            "the token that was refused with a claims challenge is sent again unchanged"
        }
    }

    private func asksForClaims(_ exchange: AuthenticationExchange) -> Bool {
        exchange.lastLeg.transaction.fields(for: exchange.target).challenges.contains {
            $0.scheme.kind == .bearer && $0.parameters["claims"] != nil
        }
    }
}
