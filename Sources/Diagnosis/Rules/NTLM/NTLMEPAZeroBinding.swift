import AuthScanSchemes
import AuthScanSessions

struct NTLMEPAZeroBinding: Rule {
    let page = RulePage(
        id: "ntlm-epa-zero-binding",
        severity: .error,
        step: .accept,
        title: "Channel binding is all zero on TLS",
        what: "Over TLS the refused AUTHENTICATE_MESSAGE has MsvAvChannelBindings of sixteen zero bytes.",
        why: """
            Zeros state that there is no channel to be bound to, which is right over plain HTTP. Over TLS a server with \
            Extended Protection takes it for a relayed message and refuses it, even where it would let an old client pass \
            that says nothing.
            """,
        fix: [
            .client(
                "Update the library, or give it the channel binding of the TLS connection; URLSession does it by itself."
            ),
            .server(
                "Look at the Extended Protection setting (tokenChecking in IIS): None takes it back, as the last resort."
            ),
        ],
        verify: "MsvAvChannelBindings is not zero, and the handshake is accepted.",
        lookAlikes: [
            "Zeros over plain HTTP: right there.", "A wrong password: looks the same on the wire.",
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=zero}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=zero}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=zero}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP channel-binding=no}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedTLSHandshakes { $0 == .zero }
        guard let first = refused.first, let leg = first.authenticate?.leg else { return .clear }
        return .found([
            page.finding(
                "over TLS the refused handshake of \(first.accountInQuotes) has a channel binding of zeros: the server "
                    + "requires the real one, or the password is wrong",
                at: .request(leg.transaction),
                in: refused.map(\.lastLeg.transaction),
                confidence: .likely
            )
        ])
    }
}
