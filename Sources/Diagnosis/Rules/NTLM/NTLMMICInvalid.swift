import AuthScanSchemes
import AuthScanSessions

struct NTLMMICInvalid: Rule {
    let page = RulePage(
        id: "ntlm-mic-invalid",
        severity: .error,
        step: .accept,
        title: "Message integrity code does not verify",
        what: """
            The given password makes the NTLM response, so the session key is known; the message integrity code of the \
            AUTHENTICATE_MESSAGE is not the one that this key makes of the three messages as captured.
            """,
        why: """
            The code covers all three messages. A server that checks it refuses the handshake with the right password when \
            one of them was changed between the ends, or when the client computed the code with another key or over other \
            bytes.
            """,
        fix: [
            .network("Look for a proxy or gateway that rewrites NTLM messages: capture on both of its sides."),
            .client(
                """
                Compute the code over the raw messages as they were sent and received, without the SPNEGO around them, \
                with its own sixteen bytes zeroed, under the exported session key.
                """
            ),
            .server("Send the CHALLENGE_MESSAGE that the check is made with, byte for byte."),
        ],
        verify: "With the same --password-file the report says of the message integrity code that it is right.",
        lookAlikes: [
            "A code under the other of two keys: ntlm-key-exch-without-sign.",
            "A wrong password: then the response does not verify, and of the code nothing can be said.",
        ],
        supersedes: ["ntlm-credential-rejected", "stale-credentials-lockout"],
        sources: ["MS-NLMP §3.1.5.1.2", "MS-NLMP §3.2.5.1.2"],
        triggering: [
            """
            password of alice Spring-1
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP password=Spring-1 mic=wrong}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            # A server that does not look at it.
            password of alice Spring-1
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP password=Spring-1 mic=wrong}
            < 200
            """,
        ],
        notTriggering: [
            """
            # The code is right, and the handshake is refused for another reason.
            password of alice Spring-1
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP password=Spring-1}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # Another password: of the code nothing can be said.
            password of alice Spring-1
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP password=Autumn-1 mic=wrong}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # No password is given.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP password=Spring-1 mic=wrong}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # The NEGOTIATE_MESSAGE, which the code covers, is not in the capture.
            password of alice Spring-1
            connection 1 without start
            lost >
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP password=Spring-1 mic=wrong}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )

    let needs: ChainTraits = [.ntlm]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.context.proofs.isEmpty else { return .notApplicable }
        let wrong = chain.exchanges.filter { chain.verdict(on: .messageIntegrityCode, of: $0) == .wrong }
        guard let first = wrong.first(where: { $0.outcome == .rejected }) ?? wrong.first else { return .clear }
        let isRefused = first.outcome == .rejected && !chain.isMadeGood(after: first.lastLeg.transaction)
        let fate = first.outcome == .accepted ? "accepted" : first.outcome == .rejected ? "refused" : "unanswered"
        return .found([
            page.finding(
                """
                the given password makes the response of \(first.accountInQuotes), but the message integrity code does not \
                fit the three messages (\(fate))
                """,
                at: .request(first.lastLeg.transaction),
                in: wrong.map(\.lastLeg.transaction),
                severity: isRefused ? .error : .note
            )
        ])
    }
}
