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
              -User-Agent
            < 403
            > GET /check
              Cookie: sid=1
            < 200
            """,
            """
            connection 1
            > GET /check
              Authorization: Basic {basic alice:secret}
            < 200
            > GET /finance
              Authorization: Basic {basic alice:secret}
            < 403
            """,
            """
            # Another session.
            connection 1
            > GET /check
              User-Agent: App/1.0
              Cookie: sid=1
            < 403
            > GET /check
              User-Agent: Mozilla/5.0 Safari
              Cookie: sid=2
            < 200
            """,
            """
            # Another token.
            connection 1
            > GET /check
              User-Agent: App/1.0
              Authorization: Bearer one-token
            < 403
            > GET /check
              User-Agent: Mozilla/5.0 Safari
              Authorization: Bearer another-token
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.forbidden]

    func findings(in chain: Chain) -> Outcome {
        var served: [String: [ClientSession.Entry]] = [:]
        for entry in chain.entries where entry.transaction.isServed {
            guard served[entry.transaction.resource, default: []].count < Self.twinsKept else { continue }
            served[entry.transaction.resource, default: []].append(entry)
        }
        for entry in chain.entries where entry.summary.status == 403 {
            let refused = entry.transaction
            let twins = served[refused.resource] ?? []
            // A User-Agent that got the resource at another time is not what is refused.
            guard let agent = refused.userAgent, !twins.contains(where: { $0.transaction.userAgent == agent }),
                let twin = twins.first(where: { $0.transaction.userAgent != nil && isAlike($0, entry) })?.transaction
            else { continue }
            let name = agent.isEmpty ? "without a User-Agent" : "with User-Agent \"\(agent)\""
            let other = twin.userAgent.map { $0.isEmpty ? "without one" : "with \"\($0)\"" } ?? ""
            let path = refused.path
            let message =
                "\(path) is refused with 403 \(name), and served \(other) in packet \(twin.responsePacket ?? 0)"
            return .found([page.finding(message, at: .response(refused), in: [refused, twin])])
        }
        return .clear
    }

    /// How many served requests for one resource are compared with a refused one.
    private static let twinsKept = 16

    /// Whether two requests are authenticated alike: another credential or session would be another reason.
    private func isAlike(_ one: ClientSession.Entry, _ other: ClientSession.Entry) -> Bool {
        one.transaction.credentialClass == other.transaction.credentialClass
            && one.connectionAuthenticatedBy == other.connectionAuthenticatedBy
            && one.transaction.requestTexts(of: .cookie) == other.transaction.requestTexts(of: .cookie)
    }
}

extension Transaction {
    /// Method and target.
    fileprivate var resource: String { "\(request?.method ?? "") \(request?.target ?? "")" }

    /// The scheme and user of the credentials, or the whole of what names no user; empty where there are none.
    fileprivate var credentialClass: String {
        guard let credentials = originFields.credentials.first else { return "" }
        // The messages of a handshake differ each time.
        if let user = credentials.user { return "\(credentials.scheme) \(user)" }
        if credentials.scheme.requiresSameConnection { return credentials.scheme.rawValue }
        return requestTexts(of: .authorization).joined(separator: ", ")
    }
}
