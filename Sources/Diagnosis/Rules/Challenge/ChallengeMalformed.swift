import AuthScanSchemes
import AuthScanSessions

struct ChallengeMalformed: Rule {
    let page = RulePage(
        id: "challenge-malformed",
        severity: .error,
        title: "Challenge syntax is broken",
        what:
            "Every challenge of a 401 or 407 breaks the grammar or lacks what its scheme requires, and none is answered.",
        why: """
            A client that cannot read a challenge treats it as absent, or as one of a scheme that it does not know: no \
            dialog comes, no delegate is called. Tolerant clients may still manage.
            """,
        fix: [
            .server(
                "Write the field as: scheme, a space, name=\"value\" pairs with commas between; realm is required for Basic."
            ),
            .server(
                "Look for a missing configuration value that is printed as null, and for quotes that are never closed."
            ),
            .network("Look for a gateway that joins or rewrites WWW-Authenticate."),
        ],
        verify: "authscan decode shows the challenge without a problem.",
        lookAlikes: [
            "Values without quotes, an empty realm, several challenges in one line: tolerated or legal.",
            "NTLM and Negotiate, which have no realm.",
        ],
        explains: ["challenge-unanswered", "no-common-scheme"],
        sources: ["RFC 9110 §11.2", "RFC 9110 §11.3", "RFC 7617 §2", "RFC 7616 §3.3"],
        triggering: [
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: null Bearer realm="app", error="invalid_token
            closed by client
            """,
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: Basic
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: basic   realm=app , Digest realm="" , nonce="b21", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: null Basic realm="app"
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Basic
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.unanswered]

    /// Faults of the challenge itself; those of a token in it are the scheme's matter.
    private static let kinds: Set<FieldProblem.Kind> = [
        .emptyField, .invalidScheme, .missingScheme, .unexpectedText, .malformedValue, .unterminatedQuotedString,
        .controlCharacter, .incompleteParameter, .missingParameter,
    ]

    func findings(in chain: Chain) -> Outcome {
        let silent = chain.unansweredChallenges.map(\.transaction).filter {
            problem(of: $0, chain.target) != nil && !chain.hasCredentials(after: $0)
        }
        guard let first = silent.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: silent) { return .cannotTell(incompleteness) }
        let status = chain.target.refusalStatus
        let fault = problem(of: first, chain.target)?.message ?? ""
        let message = "the challenge of the \(status), which nobody answers, is malformed: \(fault)"
        return .found([page.finding(message, at: .response(first), in: silent, confidence: .likely)])
    }

    /// The first fault, where each challenge has one.
    private func problem(of transaction: Transaction, _ target: AuthenticationTarget) -> FieldProblem? {
        let challenges = transaction.fields(for: target).challenges
        let problems = challenges.compactMap { challenge in challenge.problems.first { Self.kinds.contains($0.kind) } }
        return problems.count == challenges.count ? problems.first : nil
    }
}
