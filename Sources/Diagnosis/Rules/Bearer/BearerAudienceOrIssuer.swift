import AuthScanSchemes
import AuthScanSessions

struct BearerAudienceOrIssuer: Rule {
    let page = RulePage(
        id: "bearer-audience-or-issuer",
        severity: .error,
        step: .accept,
        title: "Token is for another API, or from another issuer",
        what: "The server refuses a token and names its audience, its issuer or its signature as the reason.",
        why: """
            A token is issued for one API (aud) by one issuer (iss), whose key signs it. Another API refuses it however \
            fresh it is. It happens when a token for another resource, or an ID token, is sent.
            """,
        fix: [
            .client("Ask for a token with this API's scope or resource, and send the access token, not the ID token."),
            .server("Compare the accepted audience, issuer and signing keys with the claims of the token."),
        ],
        verify: "aud and iss of the token are those that the API is configured for.",
        lookAlikes: [
            "An expired token: bearer-token-expired.",
            "A token of this API that lacks a scope: bearer-insufficient-scope.",
        ],
        supersedes: ["stale-credentials-lockout"],
        sources: ["RFC 6750 §3.1", "RFC 7519 §4.1.1", "RFC 7519 §4.1.3"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer {jwt sub=alice aud=other exp=+3600}
            < 401
              WWW-Authenticate: Bearer error="invalid_token", error_description="The audience 'other' is invalid"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer {jwt sub=alice iss=other exp=+3600}
            < 401
              WWW-Authenticate: Bearer error="invalid_token", error_description="The iss claim is not valid"
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice aud=other exp=+3600}
            < 401
              WWW-Authenticate: Bearer error="invalid_token", error_description="The token expired"
            closed by client
            """,
            """
            # The token is for this API, and lacks a scope.
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice aud=app exp=+3600}
            < 403
              WWW-Authenticate: Bearer error="insufficient_scope", error_description="The scope app.write is missing"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBearer]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { $0.outcome == .rejected && reason(of: $0) != nil }
        return chain.outcome(of: refused, as: page) { exchange in
            let claims = exchange.lastLeg.credentials.bearer?.jsonWebToken()?.claims ?? [:]
            let named = ["aud", "iss"].compactMap { name in
                claims[name]?.string.map { "\(name) is \($0.excerptInQuotes)" }
            }
            let token = named.isEmpty ? "" : " (its \(named.joined(separator: ", ")))"
            return "the server refuses the token\(token): \((reason(of: exchange) ?? "").excerptInQuotes)"
        }
    }

    /// The server's own words, where they are about audience, issuer or signature.
    private func reason(of exchange: AuthenticationExchange) -> String? {
        guard exchange.scheme.kind == .bearer else { return nil }
        return exchange.lastLeg.transaction.fields(for: exchange.target).challenges.lazy
            .filter { $0.scheme.kind == .bearer }.compactMap { $0.parameters["error_description"] }
            .first { text in
                let lowercased = text.lowercased()
                // The claims' own names count as whole words alone: others begin with the same letters.
                let words = lowercased.split { !$0.isLetter }
                return ["audience", "issuer", "signature"].contains { lowercased.contains($0) }
                    || words.contains("aud") || words.contains("iss")
            }
    }
}
