import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct BearerTokenExpired: Rule {
    let page = RulePage(
        id: "bearer-token-expired",
        severity: .error,
        step: .accept,
        title: "Access token expired, or not yet valid",
        what:
            "A refused token was past its exp or before its nbf when it was sent, or the server says that it expired.",
        why: """
            Access tokens live for minutes. A client that does not fetch a new one in time, or whose clock is off, is \
            refused from one request to the next although the user is still signed in.
            """,
        fix: [
            .client(
                "Fetch a new token before exp, and once more after a 401 with invalid_token; do not trust the device's clock."
            ),
            .server("Run NTP at the issuer and at the API, and allow for a minute of difference."),
        ],
        verify: "The request carries a token whose exp lies in the future.",
        lookAlikes: ["One 401, one refresh, one repetition that succeeds: the normal life of a token."],
        supersedes: ["stale-credentials-lockout"],
        sources: ["RFC 6750 §3.1", "RFC 7519 §4.1.4", "RFC 7519 §4.1.5"],
        triggering: [
            """
            # By the server's clock alone.
            connection 1
            > ↓GET /app
              Authorization: Bearer {jwt sub=alice exp=+600}
            < 401
              Date: Mon, 05 Jan 2026 09:30:00 GMT
              WWW-Authenticate: Bearer realm="app", error="invalid_token"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer {jwt sub=alice exp=-3600}
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer opaque
            < 401
              WWW-Authenticate: Bearer error="invalid_token", error_description="The access token expired"
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice exp=+3600}
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice exp=-3600}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice exp=-3600}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            # By the server's clock the token is good: the capture's is off.
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice exp=-600}
            < 401
              Date: Mon, 05 Jan 2026 08:30:00 GMT
              WWW-Authenticate: Bearer realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBearer]

    /// By how much two clocks may differ, in seconds.
    private static let tolerance = 60

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { $0.outcome == .rejected && reason(of: $0) != nil }
        let isStated = refused.contains { isCalledExpired($0) }
        return chain.outcome(of: refused, as: page, confidence: isStated ? .certain : .likely) { exchange in
            "the refused token \(reason(of: exchange) ?? "")"
        }
    }

    /// What the token's claims or the server say of its time, as the end of a sentence.
    private func reason(of exchange: AuthenticationExchange) -> String? {
        guard exchange.scheme.kind == .bearer, isTokenRefused(exchange) else { return nil }
        let transaction = exchange.lastLeg.transaction
        let clock = transaction.serverDate == nil ? "" : ", by the server's clock"
        switch exchange.lastLeg.credentials.bearer?.jsonWebToken()?.validity(at: transaction.judgedAt) {
        case .expired(let seconds)? where seconds > Self.tolerance:
            return "expired \(seconds) s before it was sent\(clock)"
        case .notYetValid(let seconds)? where seconds > Self.tolerance:
            return "becomes valid \(seconds) s after it was sent\(clock)"
        default: return isCalledExpired(exchange) ? "has expired, says the server" : nil
        }
    }

    /// Whether the refusal may be about the token: it asks for another one, or says nothing.
    private func isTokenRefused(_ exchange: AuthenticationExchange) -> Bool {
        exchange.isOffered(.bearer) || exchange.lastLeg.transaction.fields(for: exchange.target).challenges.isEmpty
    }

    private func isCalledExpired(_ exchange: AuthenticationExchange) -> Bool {
        exchange.lastLeg.transaction.fields(for: exchange.target).challenges.contains {
            $0.scheme.kind == .bearer && $0.parameters["error_description"]?.lowercased().contains("expired") == true
        }
    }
}
