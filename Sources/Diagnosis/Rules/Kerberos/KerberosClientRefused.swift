import AuthScanSchemes
import AuthScanSessions

struct KerberosClientRefused: Rule {
    let page = RulePage(
        id: "kerberos-client-refused",
        severity: .error,
        step: .answer,
        title: "The KDC refuses the user",
        what: """
            The KDC's last answer to a user's AS-REQ is a refusal: unknown (6), policy (12), disabled or locked (18), password \
            expired (23), or pre-authentication failed (24).
            """,
        why: """
            Without a ticket of its own the client can ask for none for the web server: it sends no token, or falls back to \
            another scheme. What the site answers then says nothing of the reason.
            """,
        fix: [
            .client("For 24, check the password, and the one in the keychain, a keytab or a configuration profile."),
            .client("For 23, change the password; for 6, check the spelling of user and realm."),
            .server("For 18, enable or unlock the account; for 12, look at its logon hours, workstations and policy."),
        ],
        verify: "An AS-REP for the same user follows.",
        lookAlikes: [
            "KDC_ERR_PREAUTH_REQUIRED (25) is the KDC's ordinary first answer.",
            "Code 24 with an AS-REP behind it: the user mistyped, and is in.",
        ],
        explains: ["challenge-unanswered", "negotiate-no-token", "negotiate-ntlm-fallback", "no-common-scheme"],
        sources: ["RFC 4120 §3.1.3, §7.5.9", "RFC 3244 §2"],
        triggering: [
            """
            # The password is wrong.
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=25
            kdc > AS-REQ client=alice
            kdc < ↓KRB-ERROR code=24
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # The account is disabled; the capture shows the KDC alone.
            kdc > AS-REQ client=dave
            kdc < ↓KRB-ERROR code=18
            """,
            """
            # A ticket for changing the password is no success.
            kdc > AS-REQ client=alice
            kdc < ↓KRB-ERROR code=23
            kdc > AS-REQ client=alice service=kadmin/changepw
            kdc < AS-REP client=alice service=kadmin/changepw
            """,
            """
            # Another user gets in.
            kdc > AS-REQ client=alice
            kdc < ↓KRB-ERROR code=6
            kdc > AS-REQ client=bob
            kdc < AS-REP client=bob
            """,
        ],
        notTriggering: [
            """
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=25
            kdc > AS-REQ client=alice
            kdc < AS-REP client=alice
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
            """,
            """
            # Mistyped, then right.
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=24
            wait 9 s
            kdc > AS-REQ client=alice
            kdc < AS-REP client=alice
            """,
            """
            # The capture ends before the answer that counts.
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=25
            kdc > AS-REQ client=alice
            """,
        ]
    )

    let needs: ChainTraits = [.kdc]

    private static let codes: Set<Int> = [6, 12, 18, 23, 24]

    func findings(in chain: Chain) -> Outcome {
        var last: [String: KDCExchange] = [:]
        for exchange in chain.session.kdcExchanges {
            guard exchange.isInitial == true, exchange.response != nil, !exchange.isForPasswordChange,
                let user = exchange.cname?.text.lowercased()
            else { continue }
            last[user] = exchange
        }
        let refusals = chain.kdcRefusals(Self.codes).filter { refusal in
            guard let user = refusal.cname?.text.lowercased(), last[user] === refusal else { return false }
            return !chain.context.tickets.isUserLetIn(after: refusal)
        }
        return page.outcome(refusals, in: chain) { first, others in
            let more = others > 0 ? ", and \(others) more user\(others == 1 ? "" : "s")" : ""
            return "the KDC refuses \(first.userInQuotes): \(first.reason)\(more)"
        }
    }
}
