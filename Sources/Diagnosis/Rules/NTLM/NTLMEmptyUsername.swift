import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

struct NTLMEmptyUsername: Rule {
    let page = RulePage(
        id: "ntlm-empty-username",
        severity: .error,
        step: .accept,
        title: "NTLM response computed for an empty user name",
        what: "UserName of the AUTHENTICATE_MESSAGE is empty, and an NTLMv2 response stands beside it.",
        why: """
            An anonymous logon has neither name nor response. A response without a name comes from a credential object \
            whose user was never set: the server sees a blank account and refuses it.
            """,
        fix: [
            .client(
                "Look where the user name is lost: an empty text field, the wrong variable, a nil that became an empty string."
            )
        ],
        verify: "UserName of the AUTHENTICATE_MESSAGE holds the user.",
        lookAlikes: ["Empty name and empty response: anonymous, or Windows' local call."],
        supersedes: ["ntlm-credential-rejected", "ntlm-domain-form", "ntlm-login-loop", "stale-credentials-lockout"],
        sources: ["MS-NLMP §2.2.1.3"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user= domain=CORP}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # Accepted all the same.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user="" domain=CORP}
            < 200
            """,
            """
            # The answer is not in the capture.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user="" domain=CORP}
            """,
        ]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let empty = chain.refusedNTLMHandshakes.compactMap(\.authenticate).filter {
            $0.message.user == "" && ($0.message.ntChallengeResponse?.byteCount ?? 0) > 24
        }
        guard let first = empty.first else { return .clear }
        let message =
            "the AUTHENTICATE_MESSAGE has a response of \(first.message.response.rawValue), but its user name is empty"
        let transactions = empty.map(\.leg.transaction)
        return .found([page.finding(message, at: .request(first.leg.transaction), in: transactions)])
    }
}
