import AuthScanSchemes
import AuthScanSessions

struct NTLMCredentialRejected: Rule {
    let page = RulePage(
        id: "ntlm-credential-rejected",
        severity: .error,
        step: .accept,
        title: "Complete NTLM handshake refused",
        what: "All three messages went over one connection and are well-formed, and the server refuses the last one.",
        why: """
            The server, or its domain controller, does not accept the response: a wrong or expired password, a locked or \
            disabled account, a restriction of logon hours or workstations, or a policy against NTLM. On TLS a required \
            channel binding looks the same.
            """,
        fix: [
            .server("Read the Windows Security log: event 4625 names the reason in its sub-status."),
            .client("Ask the user again; remove the stored credential after a password change."),
        ],
        verify: "The request with the AUTHENTICATE_MESSAGE is answered with another status than 401 or 407.",
        lookAlikes: [
            "Legs on several connections, or answered by several back ends: the credential was never checked.",
            "Names in the wrong form: ntlm-domain-form.",
        ],
        supersedes: ["ntlm-login-loop"],
        sources: ["MS-NLMP §3.2.5.1.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            closed by client
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
            # A wrong password, and then the right one.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            wait 9 s
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # A session key without signing or sealing, and a MIC: the client is at fault.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP mic=yes flags=0xE2888205}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            # The challenge is not in the capture.
            connection 1 without start
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
        ],
        samples: ["ntlm-wrong-password"]
    )

    let needs: ChainTraits = [.refusedHandshake]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { exchange in
            exchange.outcome == .rejected && exchange.authenticate != nil && exchange.ntlmChallenge != nil
                && !exchange.hasVisibleNTLMFault
                && chain.context.forwarded(exchange)?.hasVisibleNTLMFault != true
                && !chain.isMadeGood(after: exchange.lastLeg.transaction, within: 60)
        }
        guard let first = refused.first else { return .clear }
        let accounts = refused.map(\.accountInQuotes).reduce(into: [String]()) { names, name in
            if !names.contains(name), names.count < 4 { names.append(name) }
        }
        let times =
            refused.count == 1 ? "" : accounts.count == 1 ? " \(refused.count) times" : ", \(refused.count) in all"
        let names = accounts.prefix(3).joined(separator: ", ") + (accounts.count > 3 ? " and others" : "")
        let message =
            "the server refused the complete NTLM handshake of \(names)\(times)" + chain.secretsClause(of: first)
        let transactions = refused.map(\.lastLeg.transaction)
        let isForGood = transactions.contains { !chain.isMadeGood(after: $0) }
        return .found([
            page.finding(
                message,
                at: .request(transactions[0]),
                in: transactions,
                severity: isForGood ? .error : .note,
                confidence: .likely
            )
        ])
    }
}
