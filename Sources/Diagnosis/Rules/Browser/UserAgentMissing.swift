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
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /v1/token
              -User-Agent
              Authorization: Bearer {jwt sub=alice}
            < 200
            > GET /v1/list
              -User-Agent
              Authorization: Bearer {jwt sub=alice}
            < 200
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let forbidden = chain.timeline.filter { $0.kind == .forbidden || $0.kind == .bareForbidden }.map(\.transaction)
        let missing = forbidden.filter { $0.userAgent == "" }
        guard let first = missing.first, !chain.endsInSuccess else { return .clear }
        let message =
            "\(missing.count == 1 ? "a request" : "\(missing.count) requests") without User-Agent "
            + "\(missing.count == 1 ? "is" : "are") refused with 403 after the credential was accepted; "
            + "a missing permission is the alternative"
        return .found([page.finding(message, at: .response(first), in: missing, confidence: .likely)])
    }
}
