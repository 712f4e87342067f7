import AuthScanSchemes
import AuthScanSessions

struct NTLMKeyExchWithoutSign: Rule {
    let page = RulePage(
        id: "ntlm-key-exch-without-sign",
        severity: .error,
        step: .accept,
        title: "Session key exchanged, and neither signing nor sealing asked for",
        what: """
            The refused AUTHENTICATE_MESSAGE carries a MIC and sets NTLMSSP_NEGOTIATE_KEY_EXCH, but neither \
            NTLMSSP_NEGOTIATE_SIGN nor NTLMSSP_NEGOTIATE_SEAL.
            """,
        why: """
            The MIC is made with the exported session key. Without SIGN or SEAL implementations disagree whether that is \
            the exchanged key or the one that the password gives, so that the server computes another MIC and refuses. GSS \
            on macOS sends such messages where the caller does not ask for integrity.
            """,
        fix: [
            .client(
                "Ask for integrity (GSS_C_INTEG_FLAG), or leave NTLM to URLSession: current versions of .NET do the former."
            ),
            .server(
                "Read event 4625 in the Security log: a MIC that does not verify is told apart from a wrong password."
            ),
        ],
        verify: "The AUTHENTICATE_MESSAGE sets SIGN together with KEY_EXCH, or neither.",
        lookAlikes: ["The same flags in an accepted handshake, or without a MIC: harmless."],
        supersedes: ["ntlm-credential-rejected", "ntlm-login-loop", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.2.5 (bits D, E, V)", "MS-NLMP §3.1.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP mic=yes flags=0xE2888205}
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
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP mic=yes flags=0xE2888205}
            < 200
            """,
            """
            # With SIGN.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP mic=yes flags=0xE2888215}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedWholeNTLMHandshakes.filter {
            $0.authenticate?.message.exchangesKeyWithoutSigning == true
        }
        guard let first = refused.first, let (message, leg) = first.authenticate else { return .clear }
        let origin = message.version?.isAppleFingerprint == true ? ", as GSS on macOS does" : ""
        return .found([
            page.finding(
                "the refused handshake of \(first.accountInQuotes) sets KEY_EXCH and a MIC, and neither SIGN nor SEAL\(origin)",
                at: .request(leg.transaction),
                in: refused.map(\.lastLeg.transaction),
                confidence: .likely
            )
        ])
    }
}
