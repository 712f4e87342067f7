import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct UserAgentBlocked: Rule {
    let page = RulePage(
        id: "user-agent-blocked",
        severity: .error,
        step: .authorize,
        title: "Request refused because of its User-Agent",
        what:
            "Two requests that differ in their User-Agent alone get different answers: 403 with the one, the resource with the other.",
        why: """
            A gateway or application firewall decides by User-Agent. An app whose web view has customUserAgent changed or \
            emptied passes authentication and is refused afterwards.
            """,
        fix: [
            .client("Leave customUserAgent nil, or append with applicationNameForUserAgent."),
            .network("Take the rule off for authenticated requests, or add the app's User-Agent to it."),
        ],
        verify: "The same request with the app's User-Agent gets the resource.",
        lookAlikes: ["A 403 whatever the User-Agent is: authenticated-but-forbidden."],
        supersedes: ["authenticated-but-forbidden", "user-agent-missing"],
        sources: ["RFC 9110 §10.1.5"],
        triggering: [
            """
            connection 1
            > GET /check
              -User-Agent
            < ↓403
            > GET /check
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /check
              Authorization: Basic {basic alice:secret}
            < 200
            > GET /finance
              Authorization: Basic {basic alice:secret}
            < 403
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let transactions = chain.entries.map(\.transaction)
        for refused in transactions where refused.isForbidden {
            guard let agent = refused.userAgent else { continue }
            let twin = transactions.first {
                $0.isServed && $0.isSameRequest(as: refused) && $0.userAgent != nil && $0.userAgent != agent
                    // Another credential would be another reason.
                    && $0.credentialClass == refused.credentialClass
            }
            guard let twin, isConsistent(agent, refused, transactions) else { continue }
            let name = agent.isEmpty ? "without a User-Agent" : "with User-Agent \"\(agent)\""
            let other = twin.userAgent.map { $0.isEmpty ? "without one" : "with \"\($0)\"" } ?? ""
            let path = refused.path
            let message =
                "\(path) is refused with 403 \(name), and served \(other) in packet \(twin.responsePacket ?? 0)"
            return .found([page.finding(message, at: .response(refused), in: [refused, twin])])
        }
        return .clear
    }

    /// Whether the refused User-Agent never got this resource: else something else changed in between.
    private func isConsistent(_ agent: String, _ refused: Transaction, _ transactions: [Transaction]) -> Bool {
        !transactions.contains { $0.isServed && $0.isSameRequest(as: refused) && $0.userAgent == agent }
    }
}

extension Transaction {
    fileprivate func isSameRequest(as other: Transaction) -> Bool {
        request?.method == other.request?.method && request?.target == other.request?.target
    }

    /// The scheme and user of the credentials, or none.
    fileprivate var credentialClass: String {
        originFields.credentials.first.map { "\($0.scheme) \($0.user ?? "")" } ?? ""
    }
}
