import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ProxyPromptEveryLaunch: Rule {
    let page = RulePage(
        id: "proxy-prompt-every-launch",
        severity: .note,
        title: "The proxy's credential seems to be typed again and again",
        what: "Three times or more a request without credentials is repeated with them many seconds after the 407.",
        why: """
            Programs answer at once. A pause of seconds is a person at a dialog: the system keeps a proxy's credential for \
            the process alone, and asks again at the next launch.
            """,
        fix: [
            .network("Distribute the proxy's credential in a configuration profile (global HTTP proxy)."),
            .network("Let managed devices pass without a password, by Kerberos or by their address."),
        ],
        verify: "The request with credentials follows the 407 within a second.",
        lookAlikes: ["A 407 on each new connection that is answered at once: ordinary."],
        sources: ["RFC 9110 §11.7"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            wait 9 s
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            wait 1 h
            connection 2 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            wait 12 s
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            wait 2 h
            connection 3 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            wait 8 s
            > ↓CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            connection 2 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            connection 3 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.proxy, .refusal]

    /// How long a program takes at most to answer, in seconds, and how many slow answers make a habit.
    private static let limit = (seconds: 5.0, count: 3)

    func findings(in chain: Chain) -> Outcome {
        let typed = chain.exchanges.filter { exchange in
            guard exchange.outcome == .accepted, let challenged = exchange.challenged else { return false }
            return exchange.legs[0].transaction.startTime.seconds(since: challenged.endTime) > Self.limit.seconds
        }
        guard typed.count >= Self.limit.count else { return .clear }
        let decisive = typed[Self.limit.count - 1].legs[0].transaction
        let seconds = Int(Self.limit.seconds)
        let message = "\(typed.count) times the credential follows the 407 only after \(seconds) s or more"
        return .found([
            page.finding(message, at: .request(decisive), in: typed.flatMap(\.transactions), confidence: .likely)
        ])
    }
}
