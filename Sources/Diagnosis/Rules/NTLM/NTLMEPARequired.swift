import AuthScanSchemes
import AuthScanSessions

struct NTLMEPARequired: Rule {
    let page = RulePage(
        id: "ntlm-epa-required",
        severity: .error,
        step: .accept,
        title: "Channel binding is missing on TLS",
        what: "Over TLS the refused AUTHENTICATE_MESSAGE has no MsvAvChannelBindings.",
        why: """
            With Extended Protection the server wants to see in the response for which TLS connection it was made, so that \
            it cannot be relayed. Exchange, AD CS, AD FS and IIS require it by default or by hardening, and refuse a \
            response without it as they refuse a wrong password.
            """,
        fix: [
            .client("Use a library that computes the channel binding (tls-server-end-point); URLSession does."),
            .server(
                "Look at the Extended Protection setting (tokenChecking in IIS): None takes it back, as the last resort."
            ),
        ],
        verify: "The AUTHENTICATE_MESSAGE has MsvAvChannelBindings that are not zero, and is accepted.",
        lookAlikes: [
            "A wrong password: looks the same on the wire, and fails over plain HTTP and in browsers, too.",
            "No channel binding over plain HTTP: right there.",
        ],
        supersedes: ["stale-credentials-lockout"],
        explains: ["ntlm-credential-rejected"],
        sources: ["MS-NLMP §2.2.2.1", "MS-NLMP §3.1.5.1.2", "RFC 5929 §4.1"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=no}
            < 401
              WWW-Authenticate: NTLM
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=no}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=no}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=67A42627328CA64F699F9B33F1BDEA4D}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP response=NTLMv1}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedTLSHandshakes { $0 == .absent }
        guard let first = refused.first, let leg = first.authenticate?.leg else { return .clear }
        return .found([
            page.finding(
                "over TLS the refused handshake of \(first.accountInQuotes) has no channel binding: the server requires one, "
                    + "or the password is wrong",
                at: .request(leg.transaction),
                in: refused.map(\.lastLeg.transaction),
                confidence: .likely
            )
        ])
    }
}
