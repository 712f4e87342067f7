import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ProxyAnswers401: Rule {
    let page = RulePage(
        id: "proxy-answers-401",
        severity: .error,
        step: .proxy,
        title: "A proxy answers 401 instead of 407",
        what: "A proxy that was sent credentials, or asks for some, refuses a tunnel (CONNECT) with 401.",
        why: """
            401 is the server's word and 407 the proxy's. A client that gets 401 for CONNECT looks for a credential for \
            the server, offers none to the proxy, and the tunnel fails for ever though the proxy's password may be right.
            """,
        fix: [
            .network(
                "Let the proxy answer 407 with a Proxy-Authenticate field; it is the proxy's fault, and updates may mend it."
            ),
            .client("Where the stack allows it, send Proxy-Authorization with the first CONNECT."),
        ],
        verify: "A CONNECT that the proxy does not accept is answered with 407 and Proxy-Authenticate.",
        lookAlikes: [
            "A 401 inside the tunnel: the server asks, and the proxy was satisfied.",
            "A 401 for a request in absolute-form: the proxy may pass on the server's own.",
        ],
        supersedes: [
            "basic-credential-rejected", "digest-credential-rejected", "ntlm-credential-rejected", "negotiate-rejected",
            "stale-credentials-lockout", "proxy-second-407-after-type3", "ntlm-login-loop", "proxy-credential-not-sent",
        ],
        sources: ["RFC 9110 §15.5.8", "RFC 9110 §9.3.6", "RFC 9110 §11.7.1"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < ↓401
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < ↓401
              WWW-Authenticate: Basic realm="proxy"
            """,
        ],
        notTriggering: [
            """
            # The server's own, through the proxy.
            connection 1 to 192.0.2.30:3128
            > GET http://intranet.example/app
              Proxy-Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Basic realm="app"
            """,
            """
            # Inside the tunnel.
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:80
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="app"
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:wrong}
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            """,
            """
            # A web server that is asked for a tunnel by somebody who takes it for an open proxy.
            connection 1
            > CONNECT mail.example:25
            < 401
              WWW-Authenticate: Basic realm="app"
            """,
        ]
    )

    let needs: ChainTraits = [.proxy, .bareRefusal]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .proxy else { return .notApplicable }
        let refused = chain.entries.filter { $0.summary.status == 401 }.map(\.transaction).filter {
            $0.request?.isConnect == true && $0.isComplete
        }
        guard let first = refused.first, let last = refused.last else { return .clear }
        let isMended = chain.entries.contains { entry in
            entry.summary.packet > last.packet && entry.summary.status.map { (200..<300).contains($0) } == true
                && entry.transaction.request?.isConnect == true
        }
        let times = refused.count == 1 ? "" : " (\(refused.count) times)"
        let message =
            "the proxy refuses the tunnel to \(first.origin.host) with 401, a server's status, instead of 407\(times)"
            + (isMended ? "; later it opens one" : "")
        return .found([
            page.finding(message, at: .response(first), in: refused, severity: isMended ? .note : .error)
        ])
    }
}
