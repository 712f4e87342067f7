import AuthScanSchemes
import AuthScanSessions

struct NTLMAnonymous: Rule {
    let page = RulePage(
        id: "ntlm-anonymous",
        severity: .warning,
        step: .accept,
        title: "Anonymous NTLM logon",
        what: "The AUTHENTICATE_MESSAGE has neither user nor response: the client signs in as nobody.",
        why: """
            A service without credentials of its own (the second hop of a delegation, a process that runs as local system) \
            falls back to an anonymous logon, which most servers refuse or give no rights.
            """,
        fix: [
            .server("Let the service run under an account, or set up constrained delegation with Kerberos."),
            .client("Give explicit credentials instead of the process's own."),
        ],
        verify: "The AUTHENTICATE_MESSAGE names a user.",
        lookAlikes: ["Windows' local call (flag 0x4000): empty as well, and not anonymous."],
        supersedes: ["ntlm-credential-rejected", "stale-credentials-lockout", "ntlm-login-loop"],
        sources: ["MS-NLMP §3.2.5.1.2", "MS-NLMP §2.2.2.5 (flag J)"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE anonymous}
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
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # A name and a response.
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
        ]
    )

    let needs: ChainTraits = [.namelessLogin]

    func findings(in chain: Chain) -> Outcome {
        let anonymous = chain.exchanges.filter { exchange in
            guard let message = exchange.authenticate?.message else { return false }
            return message.isAnonymous && !message.isLocalCall && message.flags?.contains(.anonymous) == true
        }
        guard let first = anonymous.first?.authenticate else { return .clear }
        let isRefused = anonymous.contains { exchange in
            let last = exchange.lastLeg.transaction
            return (exchange.outcome == .rejected || last.status == 403) && !chain.isMadeGood(after: last)
        }
        return .found([
            page.finding(
                "the client signs in anonymously\(isRefused ? ", and is refused" : "")",
                at: .request(first.leg.transaction),
                in: anonymous.map(\.lastLeg.transaction),
                severity: isRefused ? .warning : .note
            )
        ])
    }
}
