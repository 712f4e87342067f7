import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

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
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < ↓407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            """,
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT a.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            connection 2 to 192.0.2.30:3128
            > CONNECT b.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            connection 3 to 192.0.2.30:3128
            > CONNECT c.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            """,
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            > CONNECT intranet.example:443
              Proxy-Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.proxy, .refusal]

    func findings(in chain: Chain) -> Outcome {
        guard chain.exchanges.isEmpty else { return .clear }
        let refused = chain.entries.map(\.transaction).filter { transaction in
            transaction.status == 407
                && transaction.proxyFields.challenges.contains { $0.problems.allSatisfy(\.isHarmless) }
        }
        guard let first = refused.first, let last = refused.last,
            // A proxy that serves the client afterwards remembered it, or lets some hosts pass.
            chain.entries.allSatisfy({ $0.transaction.packet <= last.packet || $0.transaction.status == 407 })
        else { return .clear }
        guard isRepeated(refused) || chain.provenSilence(after: last) != nil else { return chain.openOutcome }
        if let incompleteness = chain.incompleteness(of: refused) { return .cannotTell(incompleteness) }
        let count = refused.count == 1 ? "a 407" : "\(refused.count) responses with 407"
        let message = "the client got \(count) and never sent Proxy-Authorization"
        return .found([page.finding(message, at: .response(first), in: refused)])
    }

    /// Whether one resource was asked for three times, each time after the 407 of the time before.
    ///
    /// The first 407 of each of several connections is normal, and so is a page's worth of them while a dialog is open.
    private func isRepeated(_ refused: [Transaction]) -> Bool {
        var tries: [String: (count: Int, packet: Int)] = [:]
        for transaction in refused {
            let target = "\(transaction.request?.method ?? "") \(transaction.request?.target ?? "")"
            let earlier = tries[target] ?? (0, 0)
            guard transaction.packet > earlier.packet else { continue }
            if earlier.count == 2 { return true }
            tries[target] = (earlier.count + 1, transaction.responsePacket ?? 0)
        }
        return false
    }
}
