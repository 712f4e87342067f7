import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMPerRequestReauth: Rule {
    let page = RulePage(
        id: "ntlm-per-request-reauth",
        severity: .warning,
        title: "Every request on a connection repeats the whole handshake",
        what: "One kept connection carries three or more accepted handshakes of the same user.",
        why: """
            NTLM authenticates the connection: one handshake is meant to serve all that follows. A server that asks again \
            for each request triples the traffic and the load on the domain controllers.
            """,
        fix: [
            .server(
                """
                IIS: set authPersistSingleRequest to false, and authPersistNonNTLM to true; Persistent-Auth: true in a \
                response tells that the connection stays authenticated.
                """
            ),
            .network("Remove Via on trusted proxies: IIS does not keep a connection authenticated behind one it sees."),
        ],
        verify: "Requests behind the first handshake are served without another.",
        lookAlikes: ["New connections with one handshake each: ordinary."],
        sources: ["MS-NTHT §1.3"],
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
            < 401
              WWW-Authenticate: NTLM
            > GET /b
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /b
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            > GET /c
            < 401
              WWW-Authenticate: NTLM
            > GET /c
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /c
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
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
            < 200
            > GET /c
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
            connection 2
            > GET /b
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /b
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            connection 3
            > GET /c
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /c
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .severalLogins]

    private struct Login: Hashable {
        let connection: Int
        let account: String
    }

    func findings(in chain: Chain) -> Outcome {
        var logins: [Login: [Transaction]] = [:]
        var served: [Int: Int] = [:]
        for entry in chain.entries {
            guard let index = entry.exchange else {
                // A login that serves further requests is kept: the next one is a new login, not a repetition.
                if entry.connectionAuthenticatedBy != nil { served[entry.transaction.connection, default: 0] += 1 }
                continue
            }
            let exchange = chain.exchanges[index]
            guard exchange.outcome == .accepted, exchange.authenticate?.leg.transaction.number == entry.summary.number
            else {
                continue
            }
            let connection = entry.transaction.connection
            let login = Login(connection: connection, account: exchange.accountInQuotes)
            if served.removeValue(forKey: connection) != nil { logins[login] = nil }
            logins[login, default: []].append(entry.transaction)
        }
        let repeated = logins.filter { $0.value.count >= NTLMPerRequestReauth.fewest }
        guard let (login, row) = repeated.min(by: { $0.value[0].packet < $1.value[0].packet }) else { return .clear }
        let third = row[NTLMPerRequestReauth.fewest - 1]
        let message =
            "connection \(login.connection) carries \(row.count) accepted handshakes of \(login.account), one a request"
        return .found([page.finding(message, at: .request(third), in: row)])
    }

    /// How many handshakes in a row make a habit.
    private static let fewest = 3
}
