import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct BearerRefreshLoop: Rule {
    let page = RulePage(
        id: "bearer-refresh-loop",
        severity: .error,
        step: .accept,
        title: "Token refresh and 401 alternate without end",
        what:
            "Three times or more a request is refused, a token is fetched with success, and the request is refused again.",
        why: """
            An interceptor that refreshes at each 401 and repeats the request goes round for ever where the repetition still \
            carries the old token, or where the 401 has another reason than the token's age.
            """,
        fix: [
            .client(
                """
                Take the Authorization of the repetition from the refreshed credential, not from the failed request, and \
                repeat once (with Alamofire: AuthenticationInterceptor and its RefreshWindow).
                """
            ),
            .server("Say in error and error_description why the fresh token is refused: audience, scope, clock."),
        ],
        verify: "After one refresh the request is accepted, or the error is shown.",
        lookAlikes: [
            "Several requests that were under way when the token expired, repeated after one refresh.",
            "One refresh and one repetition: the normal life of a token.",
        ],
        supersedes: ["stale-credentials-lockout"],
        explains: ["bearer-token-expired"],
        sources: ["RFC 6750 §3.1", "RFC 6749 §6"],
        triggering: [
            """
            connection 1
            connection 2 to 198.51.100.30:80
            connection 1
            > GET /inbox
              Authorization: Bearer old
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            connection 2
            > POST /oauth/token
              Host: login.example
              body "grant_type=refresh_token"
            < 200
            connection 1
            > GET /inbox
              Authorization: Bearer old
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            connection 2
            > POST /oauth/token
              Host: login.example
              body "grant_type=refresh_token"
            < 200
            connection 1
            > GET /inbox
              Authorization: Bearer old
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            connection 2
            > POST /oauth/token
              Host: login.example
              body "grant_type=refresh_token"
            < 200
            connection 1
            > ↓GET /inbox
              Authorization: Bearer old
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            connection 2 to 198.51.100.30:80
            connection 1
            > GET /inbox
              Authorization: Bearer old
            < 401
              WWW-Authenticate: Bearer error="invalid_token"
            connection 2
            > POST /oauth/token
              Host: login.example
              body "grant_type=refresh_token"
            < 200
            connection 1
            > GET /inbox
              Authorization: Bearer new
            < 200
            """
        ]
    )

    let needs: ChainTraits = [.rejectedBearer, .repeatedRejection]

    /// How many cycles make a loop, within how many seconds, and among how many of the client's transactions after a
    /// refusal its refresh is looked for.
    private static let limit = (cycles: 3, seconds: 60.0, transactions: 32)

    func findings(in chain: Chain) -> Outcome {
        var rows: [String: [AuthenticationExchange]] = [:]
        var findings: [Finding] = []
        for exchange in chain.exchanges where exchange.scheme.kind == .bearer {
            guard let target = exchange.lastLeg.transaction.request?.target else { continue }
            guard exchange.outcome == .rejected else {
                if let row = rows.removeValue(forKey: target) { findings += finding(row, in: chain) }
                continue
            }
            if let last = rows[target]?.last, !isRefreshed(last, before: exchange, in: chain) {
                findings += finding(rows.removeValue(forKey: target) ?? [], in: chain)
            }
            rows[target, default: []].append(exchange)
        }
        for row in rows.values { findings += finding(row, in: chain) }
        return .from(findings.sorted { ($0.packets.first ?? 0) < ($1.packets.first ?? 0) })
    }

    /// Whether the client fetched a token after one refusal and before the next try.
    private func isRefreshed(
        _ refused: AuthenticationExchange,
        before next: AuthenticationExchange,
        in chain: Chain
    ) -> Bool {
        let (earlier, later) = (refused.lastLeg.transaction, next.lastLeg.transaction)
        guard later.packet > earlier.responsePacket ?? .max else { return false }
        return chain.context.transactions(of: chain.session.client, after: earlier, atMost: Self.limit.transactions)
            .contains { $0.packet < later.packet && $0.isTokenRequest && $0.isServed }
    }

    /// A loop of refusals with a refresh between each two, if they are enough.
    private func finding(_ row: [AuthenticationExchange], in chain: Chain) -> [Finding] {
        guard row.count > Self.limit.cycles else { return [] }
        let transactions = row.map(\.lastLeg.transaction)
        let closing = transactions[Self.limit.cycles]
        guard closing.startTime.seconds(since: transactions[0].startTime) <= Self.limit.seconds else { return [] }
        let isSame = Set(row.map(\.fingerprint)).count == 1
        let token = isSame ? "the same token as before" : "the new token"
        let message =
            "\(row.count - 1) times a token was fetched after a 401, and the request with \(token) was refused"
        return [page.finding(message, at: .request(closing), in: transactions)]
    }
}

extension Transaction {
    /// Whether the request asks an OAuth token endpoint for a token, as far as its method and path tell.
    ///
    /// - Source: RFC 6749 §3.2.
    fileprivate var isTokenRequest: Bool {
        guard request?.method == "POST" else { return false }
        let path = path.lowercased()
        return path.contains("token") || path.contains("refresh") || path.contains("oauth")
    }
}
