import AuthScanSessions

struct ProxyCredentialNotSent: Rule {
    let page = RulePage(
        id: "proxy-credential-not-sent",
        severity: .error,
        step: .proxy,
        title: "The proxy's challenge is never answered",
        what:
            "A proxy answers 407 with a usable scheme; the client repeats its requests without Proxy-Authorization, or stops.",
        why: """
            Until the proxy is satisfied nothing reaches the server. Apps with a networking stack of their own often read \
            the system's proxy address, but not its credentials.
            """,
        fix: [
            .client(
                """
                Use URLSession, which takes the system's proxy credentials; or answer the challenge whose \
                protectionSpace.isProxy() is true, or set them in connectionProxyDictionary.
                """
            ),
            .network("Exempt the app's hosts from proxy authentication where the app cannot answer."),
        ],
        verify: "A request with Proxy-Authorization follows the 407.",
        lookAlikes: ["The first 407 on each new connection, which is answered at once: normal."],
        supersedes: ["challenge-unanswered"],
        sources: ["RFC 9110 §11.7"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < ↓407
              Proxy-Authenticate: Basic realm="proxy"
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
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        guard chain.space.isProxy else { return .notApplicable }
        guard chain.exchanges.isEmpty else { return .clear }
        let refused = chain.entries.map(\.transaction).filter { $0.status == 407 && !$0.proxyFields.challenges.isEmpty }
        guard let first = refused.first, let last = refused.last else { return .clear }
        guard refused.count >= 3 || chain.provenSilence(after: last) != nil else { return chain.openOutcome }
        if let incompleteness = chain.incompleteness(of: refused) { return .cannotTell(incompleteness) }
        let count = refused.count == 1 ? "a 407" : "\(refused.count) responses with 407"
        let message = "the client got \(count) and never sent Proxy-Authorization"
        return .found([page.finding(message, at: .response(first), in: refused)])
    }
}
