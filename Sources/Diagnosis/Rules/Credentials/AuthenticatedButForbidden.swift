import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct AuthenticatedButForbidden: Rule {
    let page = RulePage(
        id: "authenticated-but-forbidden",
        severity: .warning,
        step: .authorize,
        title: "Authentication worked, authorization did not",
        what: "The credential was accepted, and a resource is refused to this user with 403.",
        why: """
            403 says that the server knows who asks and will not serve it. Another password does not help: the account \
            lacks a permission, or another rule (address, group, User-Agent) excludes the request.
            """,
        fix: [
            .server("Grant the account access to the path, or find the rule that refuses it in the server's log."),
            .client("Do not prompt again: treat the 403 as final and tell the user."),
        ],
        verify: "The same account gets the resource.",
        lookAlikes: [
            "A 403 before any login, or without challenge and credentials: an access rule, no matter of authentication.",
            "A 403 that depends on the User-Agent: user-agent-blocked.",
        ],
        sources: ["RFC 9110 §15.5.4"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            > GET /finance
              Authorization: Basic {basic alice:secret}
            < ↓403
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /bucket
              Authorization: AWS4-HMAC-SHA256 Credential=AKIA/20260105/eu/s3/aws4_request, SignedHeaders=host, Signature=00
            < 403
            """,
            """
            connection 1
            > GET /status
            < 403
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.forbidden]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.events { $0 == .forbidden }
        guard !refused.isEmpty else { return .clear }
        let delivered = chain.lastDelivery
        let forbidden = refused.filter { event in
            event.transaction.fields(for: chain.target).challenges.isEmpty
                && !isAnotherMatter(event, in: chain)
                && delivered[event.transaction.resource] ?? 0 < event.transaction.packet
        }
        guard let first = forbidden.first else { return .clear }
        let user = chain.exchanges.last { $0.outcome == .accepted && $0.user != nil }
        let who = user.map { $0.accountInQuotes } ?? "the user"
        let path = first.transaction.path
        let others = forbidden.count == 1 ? "" : " and \(forbidden.count - 1) more"
        let message = "\(who) was accepted, and \(path)\(others) was refused with 403"
        return .found([page.finding(message, at: .response(first.transaction), in: forbidden.map(\.transaction))])
    }
}

extension AuthenticatedButForbidden {
    /// Whether the 403 is no verdict on the user: it judges a signature, asks for a login by form, or comes from a proxy.
    private func isAnotherMatter(_ event: ChainEvent, in chain: Chain) -> Bool {
        if chain.exchange(of: event)?.scheme.kind == .other { return true }
        let fields = event.transaction.response?.fields
        return [.xSquidError, .xMSDAVEXTError, .xFormsBasedAuthRequired].contains { fields?.contains($0) == true }
    }
}

extension Chain {
    /// The packet of the last request for each resource that was served.
    fileprivate var lastDelivery: [String: Int] {
        entries.reduce(into: [:]) { packets, entry in
            guard entry.transaction.isServed else { return }
            packets[entry.transaction.resource] = entry.transaction.packet
        }
    }
}

extension Transaction {
    /// Method and path.
    fileprivate var resource: String { "\(request?.method ?? "") \(path)" }
}
