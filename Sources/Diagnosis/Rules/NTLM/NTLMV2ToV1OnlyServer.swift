import AuthScanSchemes
import AuthScanSessions

struct NTLMV2ToV1OnlyServer: Rule {
    let page = RulePage(
        id: "ntlm-v2-to-v1-only-server",
        severity: .warning,
        step: .accept,
        title: "NTLMv2 sent to a server that may know NTLMv1 alone",
        what: """
            The challenge has neither target information nor extended session security, and the NTLMv2 response to it \
            is refused.
            """,
        why: """
            NTLMv2 builds its response from the target information. A server whose challenge has none, and that does \
            not grant extended session security either, is perhaps an appliance that computes NTLMv1 alone.
            """,
        fix: [
            .server("Update the appliance, or put the service behind a gateway that speaks NTLMv2 or Kerberos."),
            .client("Where it cannot be replaced, use another scheme over TLS rather than NTLMv1."),
        ],
        verify: "The CHALLENGE_MESSAGE has TargetInfo.",
        lookAlikes: [
            "A challenge with target information: the server knows NTLMv2."
        ],
        sources: ["MS-NLMP §2.2.1.2", "MS-NLMP §3.1.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE target-info=no flags=0x00008205}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE target-info=no flags=0x00008205}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE target-info=no flags=0x00008205}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP response=NTLMv1}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedWholeNTLMHandshakes.filter { exchange in
            guard let challenge = exchange.ntlmChallenge?.message, challenge.problems.isEmpty else { return false }
            return exchange.authenticate?.message.response == .ntlmV2 && !challenge.hasTargetInfo
                && !challenge.flags.contains(.negotiateExtendedSessionSecurity)
        }
        guard let first = refused.first?.lastLeg.transaction else { return .clear }
        return .found([
            page.finding(
                "an NTLMv2 response is refused by a server whose challenge has no target information",
                at: .request(first),
                in: refused.map(\.lastLeg.transaction),
                confidence: .possible
            )
        ])
    }
}
