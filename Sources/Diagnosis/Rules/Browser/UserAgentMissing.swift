import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct UserAgentMissing: Rule {
    let page = RulePage(
        id: "user-agent-missing",
        severity: .warning,
        step: .authorize,
        title: "Requests carry no User-Agent",
        what: "Authenticated requests without a User-Agent, or with an empty one, are refused with 403.",
        why: """
            Gateways often decide by User-Agent what a client may see. A request without one passes authentication and is \
            refused afterwards, which looks like a missing permission.
            """,
        fix: [
            .client("Leave customUserAgent nil; in a stack of your own send a User-Agent."),
            .network("Do not decide by User-Agent whether an authenticated request is served."),
        ],
        verify: "Repeat one refused request with a User-Agent: if it is served, user-agent-blocked proves the cause.",
        lookAlikes: ["A daemon that never sends one and is served: nothing to mend."],
        supersedes: ["authenticated-but-forbidden"],
        sources: ["RFC 9110 §10.1.5"],
        triggering: [
            """
            connection 1
            > GET /v1/token
              -User-Agent
              Authorization: Bearer {jwt sub=alice}
            < 200
            > GET /v1/list
              -User-Agent
              Authorization: Bearer {jwt sub=alice}
            < ↓403
            """,
            """
            connection 1
            > ↓GET /v1/token
              -User-Agent
              Authorization: Bearer {jwt sub=alice}
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /v1/token
              Authorization: Bearer {jwt sub=alice}
            < 200
            > GET /v1/list
              Authorization: Bearer {jwt sub=alice}
            < 403
            """,
            """
            connection 1
            > GET /status
              -User-Agent
            < 403
            """,
        ]
    )

    let needs: ChainTraits = [.noUserAgent]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy, !chain.exchanges.isEmpty else { return .notApplicable }
        let forbidden = chain.events { $0 == .forbidden || $0 == .bareForbidden }.map(\.transaction)
        let missing = forbidden.filter(\.lacksUserAgent)
        // Where requests with a User-Agent are refused as well, it explains nothing.
        guard let first = missing.first, missing.count == forbidden.count, !chain.endsInSuccess else {
            return contextNote(in: chain)
        }
        let message =
            "\(missing.count == 1 ? "a request" : "\(missing.count) requests") without User-Agent "
            + "\(missing.count == 1 ? "is" : "are") refused with 403 after the credential was accepted; "
            + "a missing permission is the alternative"
        return .found([page.finding(message, at: .response(first), in: missing, confidence: .likely)])
    }

    /// Says that requests lack the field although nothing shows that it matters: context for whoever compares clients.
    private func contextNote(in chain: Chain) -> Outcome {
        let bare = chain.entries.map(\.transaction).filter { $0.lacksUserAgent && $0.status != 403 }
        guard let first = bare.first, chain.exchanges.contains(where: { $0.outcome == .accepted }) else {
            return .clear
        }
        let message = "\(bare.count) of \(chain.entries.count) requests carry no User-Agent, and none is refused for it"
        return .found([page.finding(message, at: .request(first), in: bare, severity: .note, confidence: .possible)])
    }
}
