import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ProxyNTLMHangAfterAuth: Rule {
    let page = RulePage(
        id: "proxy-ntlm-hang-after-auth",
        severity: .error,
        step: .proxy,
        title: "The handshake with the proxy begins, and hangs",
        what: "An NTLM or Negotiate handshake with a proxy stops half-way, and its connection stays open.",
        why: """
            Nothing is refused, so nobody gives up: the proxy waits for a message that the client does not send, or the \
            client for an answer that the proxy owes, until a time-out ends it.
            """,
        fix: [
            .network("Update the proxy, check its way to the domain controller, or offer Kerberos or Basic over TLS."),
            .client("Update the system; until then give the app's hosts a way around the proxy."),
        ],
        verify: "The handshake with the proxy is complete within a second.",
        lookAlikes: ["A person who takes time to type the password: a later request answers the challenge."],
        supersedes: [
            "ntlm-handshake-abandoned", "challenge-unanswered", "server-no-answer", "connection-reset-during-handshake",
            "negotiate-continue-ignored",
        ],
        sources: ["MS-NTHT §1.3"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            end wait 40 s
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            > ↓CONNECT intranet.example:443
              Proxy-Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            end wait 40 s
            """,
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            closed by client
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            wait 30 s
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.proxy, .unfinished, .tokenScheme]

    /// How long nothing may move, in seconds.
    private static let patience = 20.0

    func findings(in chain: Chain) -> Outcome {
        let hanging = chain.exchanges.filter { exchange in
            let last = exchange.lastLeg.transaction
            return exchange.isConnectionBound && exchange.outcome != .accepted && exchange.outcome != .rejected
                && (last.response == nil || exchange.lastLeg.continuation != nil)
                && waited(after: last, in: chain) >= Self.patience && !chain.isMadeGood(after: last)
                && !chain.hasCredentials(after: last)
        }.map(\.lastLeg.transaction)
        guard let first = hanging.first else { return .clear }
        if let lacking = Incompleteness(lackingBytesOf: hanging.map(chain.connection)) { return .cannotTell(lacking) }
        let whose =
            first.response == nil ? "the proxy does not answer" : "the client does not answer the proxy's challenge"
        let seconds = Int(waited(after: first, in: chain))
        let message = "\(whose), and connection \(first.connection) stays open for \(seconds) s"
        let place = first.response == nil ? DecisivePacket.request(first) : .response(first)
        return .found([page.finding(message, at: place, in: hanging)])
    }

    /// How long the connection stayed open without another message, in seconds.
    private func waited(after transaction: Transaction, in chain: Chain) -> Double {
        let connection = chain.connection(of: transaction)
        return (connection.closeTime ?? chain.context.end).seconds(since: transaction.endTime)
    }
}
