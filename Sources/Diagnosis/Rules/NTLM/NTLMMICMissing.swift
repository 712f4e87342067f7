import AuthScanSchemes
import AuthScanSessions

struct NTLMMICMissing: Rule {
    let page = RulePage(
        id: "ntlm-mic-missing",
        severity: .note,
        title: "Server sent a timestamp, and the client no MIC",
        what: """
            The challenge has an MsvAvTimestamp, and the refused AUTHENTICATE_MESSAGE to it has no message integrity \
            code.
            """,
        why: """
            A client that gets a timestamp is to protect the three messages with a MIC. Most servers accept a \
            response without one; hardened ones refuse it.
            """,
        fix: [
            .client("Use a library that computes the MIC; URLSession does."),
            .server("Look in the Security log whether the refusal is for the message or for the password."),
        ],
        verify: "The AUTHENTICATE_MESSAGE has a MIC, and bit 2 of MsvAvFlags says so.",
        lookAlikes: [
            "The same in an accepted handshake: harmless.",
            "A wrong password: likelier.",
        ],
        sources: ["MS-NLMP §2.2.1.3", "MS-NLMP §3.1.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP mic=no}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP mic=no}
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
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE timestamp=no}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let unprotected = chain.refusedWholeNTLMHandshakes.filter { exchange in
            guard let message = exchange.authenticate?.message, message.response == .ntlmV2,
                exchange.ntlmChallenge?.message.timestampTicks != nil
            else { return false }
            return message.mic == .absent || message.mic == .zero
        }
        guard let first = unprotected.first?.lastLeg.transaction else { return .clear }
        return .found([
            page.finding(
                "the server sent MsvAvTimestamp, and the refused answer has no message integrity code",
                at: .request(first),
                in: unprotected.map(\.lastLeg.transaction),
                confidence: .possible
            )
        ])
    }
}
