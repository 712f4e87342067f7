import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMLoginLoop: Rule {
    let page = RulePage(
        id: "ntlm-login-loop",
        severity: .error,
        step: .accept,
        title: "The NTLM handshake is repeated again and again",
        what: "Three or more complete handshakes of one user are refused within a minute, and none is accepted.",
        why: """
            The user sees the password dialog again and again. The server never says why: what the messages themselves \
            show is the best hint there is.
            """,
        fix: [
            .server("Look for the logon failure in the server's security log: its sub-status says why."),
            .client("Stop after the second refusal: URLAuthenticationChallenge.previousFailureCount counts them."),
        ],
        verify: "One handshake suffices.",
        lookAlikes: ["One handshake for each connection, all of them accepted: ordinary."],
        sources: ["MS-NTHT §1.3"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
            < 401
              WWW-Authenticate: Negotiate
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
            < 401
              WWW-Authenticate: Negotiate
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
            < 401
              WWW-Authenticate: Negotiate
            """
        ],
        notTriggering: [
            """
            # Two tries, and then the right password.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """
        ]
    )

    let needs: ChainTraits = [.refusedHandshake, .repeatedRejection]

    /// How many refusals within how many seconds make a loop.
    private static let limit = (count: 3, seconds: 60.0)

    func findings(in chain: Chain) -> Outcome {
        var byAccount: [String: [AuthenticationExchange]] = [:]
        for exchange in chain.refusedNTLMHandshakes {
            byAccount[exchange.accountInQuotes, default: []].append(exchange)
        }
        for exchange in chain.refusedNTLMHandshakes {
            guard let row = byAccount[exchange.accountInQuotes], row.last?.number == exchange.number,
                row.count >= Self.limit.count, isClose(row.suffix(Self.limit.count))
            else { continue }
            let message = "\(row.count) complete handshakes of \(exchange.accountInQuotes) are refused in a row"
            let transactions = row.map(\.lastLeg.transaction)
            return .found([page.finding(message, at: .request(transactions[row.count - 1]), in: transactions)])
        }
        return .clear
    }

    private func isClose(_ row: ArraySlice<AuthenticationExchange>) -> Bool {
        guard let first = row.first, let last = row.last else { return false }
        let begin = first.lastLeg.transaction.startTime
        return last.lastLeg.transaction.startTime.seconds(since: begin) <= Self.limit.seconds
    }
}
