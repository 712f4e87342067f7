import AuthScanSchemes
import AuthScanSessions

struct NTLMIdentityChange: Rule {
    let page = RulePage(
        id: "ntlm-identity-change",
        severity: .warning,
        title: "One connection is authenticated as two users in turn",
        what: """
            On one connection a second complete handshake is accepted, for another user than the first.
            """,
        why: """
            NTLM authenticates the connection. With the handshake in between the change is legal, but a pool of \
            connections that several users share gives one user's data to another as soon as a request goes out \
            before the change.
            """,
        fix: [
            .client(
                """
                Keep one pool of connections, one URLSession, for each identity; invalidate the session when the \
                user changes.
                """
            ),
            .network("Switch off the reuse of back-end connections for sites with NTLM."),
        ],
        verify: "Each connection carries one user from its start to its end.",
        lookAlikes: [
            "The same user who authenticates again: ntlm-per-request-reauth."
        ],
        sources: ["MS-NTHT §1.3", "RFC 4559 §6"],
        triggering: [
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /b
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /b
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=bob domain=CORP}
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /b
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /b
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=ALICE domain=CORP}
            < 200
            """,
            """
            connection 1
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /b
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /b
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=bob domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.severalLogins]

    func findings(in chain: Chain) -> Outcome {
        var last: [Int: AuthenticationExchange] = [:]
        var changes: [(from: AuthenticationExchange, to: AuthenticationExchange)] = []
        for exchange in chain.exchanges where exchange.outcome == .accepted && exchange.user?.isEmpty == false {
            guard exchange.authenticate != nil else { continue }
            let connection = exchange.lastLeg.transaction.connection
            if let earlier = last[connection], earlier.account != exchange.account {
                changes.append((earlier, exchange))
            }
            last[connection] = exchange
        }
        guard let first = changes.first else { return .clear }
        let times = changes.count == 1 ? "" : ", and \(changes.count - 1) more times"
        return .found([
            page.finding(
                "connection \(first.to.lastLeg.transaction.connection) is authenticated as \(first.from.accountInQuotes), "
                    + "and then as \(first.to.accountInQuotes)\(times)",
                at: .request(first.to.lastLeg.transaction),
                in: changes.flatMap { [$0.from.lastLeg.transaction, $0.to.lastLeg.transaction] }.eachOnce
            )
        ])
    }
}

extension AuthenticationExchange {
    /// User and domain, in which case does not count.
    fileprivate var account: String { "\(domain ?? "")\\\(user ?? "")".lowercased() }
}

extension [Transaction] {
    /// Each transaction once.
    fileprivate var eachOnce: [Transaction] {
        var numbers: Set<Int> = []
        return filter { numbers.insert($0.number).inserted }
    }
}
