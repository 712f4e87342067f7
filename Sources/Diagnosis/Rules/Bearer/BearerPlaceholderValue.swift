import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

struct BearerPlaceholderValue: Rule {
    let page = RulePage(
        id: "bearer-placeholder-value",
        severity: .error,
        step: .accept,
        title: "Bearer value is empty, null or undefined",
        what: "What follows Bearer is nothing, or the text of a variable without value, and the request is refused.",
        why: """
            The field was built from a variable that held no token yet: the text of nil, null or an optional stands where the \
            token belongs.
            """,
        fix: [
            .client(
                """
                Unwrap the token before it goes into the field (guard let), and do not send the request while there is none; \
                "Bearer \\(token)" with an Optional writes Optional("…").
                """
            )
        ],
        verify: "The request carries a token, or no Authorization at all.",
        lookAlikes: ["An opaque token that happens to begin with null."],
        supersedes: ["stale-credentials-lockout"],
        sources: ["RFC 6750 §2.1"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer null
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer Optional("abc.def")
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer nullA7.undefined_x~9+/k==
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Bearer null
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBearer]

    /// How languages write a variable that holds nothing.
    private static let placeholders: Set<String> = [
        "null", "(null)", "<null>", "undefined", "nil", "none", "nan", "false", "[object object]", "\"\"", "''",
    ]
    private static let longestPlaceholder = placeholders.map(\.utf8.count).max() ?? 0

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { $0.outcome == .rejected && placeholder($0) != nil }
        return chain.outcome(of: refused, as: page) { exchange in
            "the refused Bearer credential holds no token: \(placeholder(exchange) ?? "")"
        }
    }

    /// What stands in the token's place; `nil` where it may be a token.
    private func placeholder(_ exchange: AuthenticationExchange) -> String? {
        let credentials = exchange.lastLeg.credentials
        guard let bearer = credentials.bearer, !credentials.problems.contains(where: { $0.kind == .severalCredentials })
        else { return nil }
        guard let token = bearer.token else { return "nothing follows the scheme" }
        return token.withRevealed { text in
            if text.utf8.count <= Self.longestPlaceholder, Self.placeholders.contains(text.lowercased()) {
                return "it is the word \"\(text)\""
            }
            if text.hasPrefix("Optional(") { return "it is the description of a Swift Optional" }
            let isBroken = text.utf8.contains {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") || $0 == UInt8(ascii: " ")
            }
            return isBroken ? "what follows the scheme holds quotes or white space" : nil
        }
    }
}
