import AuthScanSchemes
import AuthScanSessions

struct ChallengeFirstOnly: Rule {
    let page = RulePage(
        id: "challenge-first-only",
        severity: .error,
        step: .answer,
        title: "Client only looks at the first challenge",
        what: """
            Several schemes are offered, the first of which the client never uses; it stays silent although it uses a later \
            one elsewhere.
            """,
        why: """
            Clients that read one WWW-Authenticate line, or all lines joined into one, see the first challenge alone. A \
            delegate that cancels the challenge it cannot answer ends the load before the next one is tried.
            """,
        fix: [
            .client(
                """
                Answer challenges that you cannot do with .rejectProtectionSpace, not .cancelAuthenticationChallenge: the \
                loader then offers the next protection space.
                """
            ),
            .server("Put the scheme that the clients can do first, one challenge a line."),
        ],
        verify: "The client answers with one of the later schemes.",
        lookAlikes: ["A dialog that the user cancels."],
        explains: ["challenge-unanswered", "no-common-scheme"],
        sources: ["RFC 9110 §11.6.1", "Apple: Handling an authentication challenge"],
        triggering: [
            """
            connection 1 to 198.51.100.30:80
            > GET /old
              Host: old.example
            < 401
              WWW-Authenticate: Basic realm="old"
            > GET /old
              Host: old.example
              Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            connection 2
            > GET /app
            < ↓401
              WWW-Authenticate: Bearer realm="app"
              WWW-Authenticate: Basic realm="app"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Bearer realm="app"
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1 to 198.51.100.30:80
            > GET /old
              Host: old.example
              Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            connection 2
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
              WWW-Authenticate: Bearer realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.unanswered]

    func findings(in chain: Chain) -> Outcome {
        // A client that answers anything here is not stopped by the order of the challenges.
        guard chain.exchanges.isEmpty else { return .notApplicable }
        let used = chain.context.schemes(usedBy: chain.session.client)
        let silent = chain.unansweredChallenges.map(\.transaction).filter { transaction in
            let offered = transaction.fields(for: chain.target).schemes
            guard let first = offered.first, !used.contains(first) else { return false }
            return offered.dropFirst().contains { used.contains($0) }
        }
        guard let first = silent.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: silent) { return .cannotTell(incompleteness) }
        let offered = first.fields(for: chain.target).schemes
        let usable = offered.filter { used.contains($0) }.map(\.rawValue).joined(separator: " and ")
        let message = """
            the client does not answer the offer of \(offered.map(\.rawValue).joined(separator: ", ")), although it does \
            \(usable) elsewhere; or a dialog was cancelled
            """
        // One dialog may have been cancelled; a habit is none of the user's.
        let severity: Severity = silent.count > 1 ? .error : .warning
        return .found([
            page.finding(message, at: .response(first), in: silent, severity: severity, confidence: .possible)
        ])
    }
}
