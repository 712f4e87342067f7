import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMProxyNoKeepalive: Rule {
    let page = RulePage(
        id: "ntlm-proxy-no-keepalive",
        severity: .error,
        step: .proxy,
        title: "The proxy closes after each NTLM challenge",
        what: "Two or more connections to the proxy end with its challenge, and each new one starts anew.",
        why: """
            The proxy's challenge belongs to its connection. A proxy that speaks HTTP/1.0, or is told nothing about \
            keep-alive, closes after every response, so that no AUTHENTICATE_MESSAGE can ever arrive.
            """,
        fix: [
            .network("Switch on persistent client connections in the proxy, or use one that speaks HTTP/1.1."),
            .client("Send Proxy-Connection: Keep-Alive to a proxy that answers in HTTP/1.0."),
        ],
        verify: "The AUTHENTICATE_MESSAGE follows the challenge on the same connection.",
        lookAlikes: ["A close with the first, bare 407: harmless."],
        supersedes: [
            "ntlm-conn-closed-after-challenge", "ntlm-handshake-abandoned", "challenge-unanswered",
            "ntlm-type3-on-new-connection",
        ],
        sources: ["RFC 4559 §6", "RFC 9112 §C.2.2"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < HTTP/1.0 407 Proxy Authentication Required
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            closed by server
            connection 2 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓HTTP/1.0 407 Proxy Authentication Required
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            closed by server
            """
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
            < 407
              Proxy-Authenticate: NTLM
              Connection: close
            closed by server
            connection 2 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """
        ]
    )

    let needs: ChainTraits = [.proxy, .refusal, .tokenScheme]

    func findings(in chain: Chain) -> Outcome {
        let closed = chain.exchanges.filter { $0.authenticate == nil && $0.outcome != .accepted }
            .compactMap { $0.ntlmChallenge?.leg.transaction }
            .filter { chain.isEndedByServer(after: $0) && !chain.isMadeGood(after: $0) }
        guard closed.count >= 2, Set(closed.map(\.connection)).count >= 2 else { return .clear }
        if !closed.allSatisfy(\.announcesClose), let incompleteness = chain.incompleteness(of: closed) {
            return .cannotTell(incompleteness)
        }
        let message = "\(closed.count) connections to the proxy end with its NTLM challenge"
        return .found([page.finding(message, at: .response(closed[1]), in: closed)])
    }
}
