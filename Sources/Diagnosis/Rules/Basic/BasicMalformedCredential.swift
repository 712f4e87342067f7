import AuthScanSchemes
import AuthScanSessions

struct BasicMalformedCredential: Rule {
    let page = RulePage(
        id: "basic-malformed-credential",
        severity: .error,
        step: .accept,
        title: "Basic value cannot be decoded",
        what:
            "What follows Basic is no base64 of user-id, colon and password, or holds control characters; it is refused.",
        why: """
            A server decodes the value before it looks for the user. Without base64, without the colon, or with a line break \
            at the end of the password there is nothing that it could accept.
            """,
        fix: [
            .client(
                """
                Encode the UTF-8 bytes of "user:password" with Data.base64EncodedString() without line breaks, or leave the \
                field to URLSession (NSURLAuthenticationMethodHTTPBasic).
                """
            ),
            .client("In scripts use printf '%s:%s' or echo -n: echo alone adds a line break."),
        ],
        verify: "The value decodes to the user-id, one colon and the password, and nothing else.",
        lookAlikes: [
            "A value without its padding that the server accepts.",
            "A user name beyond ASCII: well-formed, but perhaps in another charset than the server's.",
        ],
        supersedes: ["basic-credential-rejected"],
        sources: ["RFC 7617 §2", "RFC 4648 §4"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Basic alice:secret
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Basic YWxpY2U6c2VjcmV0Cg==
            < 400
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic YWxpY2U6c2VjcmV0Cg==
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:wrong}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBasic]

    private static let kinds: Set<FieldProblem.Kind> = [
        .invalidBase64, .missingColon, .controlCharacter, .missingContent, .unexpectedText, .invalidToken,
    ]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { exchange in
            exchange.scheme.kind == .basic && exchange.outcome == .rejected
                && problem(of: exchange) != nil && chain.isForwardedIntact(exchange.lastLeg.transaction)
        }
        // Many servers put up with a missing padding: what they decode is then the question.
        let isOnlyPadding = refused.allSatisfy {
            $0.lastLeg.credentials.basic != nil && problem(of: $0)?.kind == .invalidBase64
        }
        return chain.outcome(
            of: refused,
            as: page,
            severity: isOnlyPadding ? .warning : nil,
            confidence: isOnlyPadding ? .possible : .certain
        ) { exchange in
            "the refused Basic credential is malformed: \(problem(of: exchange)?.message ?? "")"
        }
    }

    private func problem(of exchange: AuthenticationExchange) -> FieldProblem? {
        exchange.lastLeg.credentials.problems.first { Self.kinds.contains($0.kind) }
    }
}
