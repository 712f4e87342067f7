import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ProxySecond407AfterType3: Rule {
    let page = RulePage(
        id: "proxy-second-407-after-type3",
        severity: .error,
        step: .proxy,
        title: "The proxy refuses a complete NTLM handshake",
        what: "The three messages were exchanged with the proxy, and the answer to the last one is 407 again.",
        why: """
            The proxy asked a domain controller, and was told no. Outside Windows there is no single sign-on to fall \
            back on: what the user typed, or the app stored, is all there is.
            """,
        fix: [
            .client(
                """
                Give the proxy's credential explicitly, with its domain; URLAuthenticationChallenge whose \
                protectionSpace.isProxy() is true asks for it.
                """
            ),
            .network("Look up the logon failure in the proxy's and the domain controller's logs at that second."),
        ],
        verify: "The AUTHENTICATE_MESSAGE is answered with something other than 407.",
        lookAlikes: ["The 407 that carries the challenge: the second message of every handshake."],
        supersedes: ["proxy-credential-not-sent", "challenge-unanswered"],
        explains: ["ntlm-credential-rejected", "stale-credentials-lockout", "ntlm-login-loop"],
        sources: ["RFC 9110 §15.5.8", "MS-NTHT §1.3"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            > ↓CONNECT intranet.example:443
              Proxy-Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 407
              Proxy-Authenticate: NTLM
            """
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # The message itself shows what is wrong with it.
            connection 1 to 192.0.2.30:3128
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 407
              Proxy-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=PROXY1}
            > CONNECT intranet.example:443
              Proxy-Authorization: NTLM {AUTHENTICATE_MESSAGE user= domain=CORP}
            < 407
              Proxy-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.proxy, .refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedNTLMHandshakes.filter { $0.ntlmChallenge != nil && !$0.hasVisibleNTLMFault }
        guard let first = refused.first else { return .clear }
        let times = refused.count == 1 ? "" : " \(refused.count) times"
        let message = "the proxy refused the complete NTLM handshake of \(first.accountInQuotes)\(times)"
        let transactions = refused.map(\.lastLeg.transaction)
        return .found([page.finding(message, at: .request(transactions[0]), in: transactions)])
    }
}
