import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ManualAuthorizationPlusChallenge: Rule {
    let page = RulePage(
        id: "manual-authorization-plus-challenge",
        severity: .warning,
        step: .accept,
        title: "Same wrong secret is sent twice for one user action",
        what: """
            An app with Apple's loader sends a Basic credential unasked, and once more within a second of its refusal, for \
            the same request.
            """,
        why: """
            An Authorization field set by hand does not keep the loader from answering the 401 itself, from the delegate or \
            from stored credentials. Each typing error then counts twice, and the account locks after half as many.
            """,
        fix: [
            .client(
                """
                Choose one way: either leave the reserved field Authorization alone and answer the challenge, or set it and \
                answer challenges with .cancelAuthenticationChallenge.
                """
            ),
            .client("Look for a credential left in URLCredentialStorage that answers before the delegate is asked."),
            .server("Count refusals of the same secret within a second as one."),
        ],
        verify: "One wrong password gives one request with credentials.",
        lookAlikes: [
            "A user who tries again: seconds later, mostly with another password.", "A redirect to another path.",
        ],
        sources: ["Apple: URLRequest, reserved HTTP headers", "RFC 9110 §15.5.2"],
        triggering: [
            """
            connection 1
            > GET /app
              User-Agent: App/1 CFNetwork/1568.200.51 Darwin/24.1.0
              Authorization: Basic {basic alice:sceret}
            < 401
              WWW-Authenticate: Basic realm="app"
            > ↓GET /app
              User-Agent: App/1 CFNetwork/1568.200.51 Darwin/24.1.0
              Authorization: Basic {basic alice:sceret}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              User-Agent: App/1 CFNetwork/1568.200.51 Darwin/24.1.0
              Authorization: Basic {basic alice:sceret}
            < 401
              WWW-Authenticate: Basic realm="app"
            wait 5 s
            > GET /app
              User-Agent: App/1 CFNetwork/1568.200.51 Darwin/24.1.0
              Authorization: Basic {basic alice:sceret}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1
            > GET /app
              User-Agent: App/1 CFNetwork/1568.200.51 Darwin/24.1.0
            < 401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              User-Agent: App/1 CFNetwork/1568.200.51 Darwin/24.1.0
              Authorization: Basic {basic alice:sceret}
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedBasic]

    /// How quickly a loader repeats what it was refused, in seconds.
    private static let window = 1.0

    func findings(in chain: Chain) -> Outcome {
        let repeated = zip(chain.exchanges, chain.exchanges.dropFirst()).filter(isRepeated)
        guard let (first, second) = repeated.first else { return .clear }
        let transactions = [first, second].map(\.lastLeg.transaction)
        let count = repeated.count == 1 ? "" : ", as \(repeated.count - 1) more are"
        let message = """
            the Basic credential of \(first.accountInQuotes), sent unasked, is sent again at once after its refusal\(count)
            """
        let isMended = chain.isMadeGood(after: transactions[1], within: 60)
        return .found([
            page.finding(
                message,
                at: .request(transactions[1]),
                in: transactions,
                severity: isMended ? .note : nil,
                confidence: .likely
            )
        ])
    }

    private func isRepeated(_ first: AuthenticationExchange, _ second: AuthenticationExchange) -> Bool {
        let (earlier, later) = (first.lastLeg.transaction, second.lastLeg.transaction)
        guard first.scheme.kind == .basic, first.outcome == .rejected, second.outcome == .rejected,
            first.challenged == nil, first.isOffered(.basic), first.fingerprint == second.fingerprint,
            earlier.request?.target == later.request?.target, earlier.request?.method == later.request?.method
        else { return false }
        let pause = later.startTime.seconds(since: earlier.endTime)
        return (0..<Self.window).contains(pause) && isAppleLoader(later)
    }

    private func isAppleLoader(_ transaction: Transaction) -> Bool {
        guard let agent = transaction.userAgent else { return false }
        return agent.contains("CFNetwork") || agent.contains("Darwin")
    }
}
