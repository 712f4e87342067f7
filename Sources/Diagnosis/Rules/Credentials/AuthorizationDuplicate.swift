import AuthScanSchemes
import AuthScanSessions

struct AuthorizationDuplicate: Rule {
    let page = RulePage(
        id: "authorization-duplicate",
        severity: .error,
        step: .accept,
        title: "Two credentials in one request",
        what: "A refused request carries two Authorization fields, or one field with two credentials.",
        why: """
            The field holds exactly one credential. Given two, a server takes the first, the last, both joined by a comma, \
            or refuses the request with 400; behind a gateway it is often the wrong one.
            """,
        fix: [
            .network(
                "Let the gateway replace the field instead of adding another, or give its token a field of its own."
            ),
            .client(
                """
                Do not set Authorization in httpAdditionalHeaders or on the URLRequest, which reserve it, while challenges are \
                answered as well, nor put user and password into the URL.
                """
            ),
        ],
        verify: "The request that reaches the server has one Authorization field with one credential.",
        lookAlikes: [
            "Digest, whose parameters are separated by commas.", "A server that picks the right one: no failure.",
        ],
        supersedes: [
            "basic-credential-rejected", "basic-malformed-credential", "credential-scheme-not-offered",
            "stale-credentials-lockout",
        ],
        sources: ["RFC 9110 §11.6.2", "RFC 9110 §5.3"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer {jwt sub=alice exp=+3600}
              Authorization: Basic {basic alice:secret}
            < 400
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer one,Bearer one
            < 401
              WWW-Authenticate: Bearer realm="app", error="invalid_token"
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer {jwt sub=alice exp=+3600}
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejected]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { $0.outcome == .rejected && !schemes(of: $0).isEmpty }
        return chain.outcome(of: refused, as: page) { exchange in
            "the refused request carries several credentials: \(schemes(of: exchange).joined(separator: " and "))"
        }
    }

    /// The schemes of the credentials, where the request has several.
    private func schemes(of exchange: AuthenticationExchange) -> [String] {
        let credentials = exchange.lastLeg.transaction.fields(for: exchange.target).credentials
        let names = credentials.map { $0.scheme.rawValue.isEmpty ? "a bare token" : $0.scheme.rawValue }
        if credentials.count > 1 { return names }
        guard let only = credentials.first, only.problems.contains(where: { $0.kind == .severalCredentials }) else {
            return []
        }
        return [names[0], "another in the same field"]
    }
}
