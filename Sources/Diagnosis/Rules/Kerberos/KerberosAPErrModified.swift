import AuthScanSchemes
import AuthScanSessions

struct KerberosAPErrModified: Rule {
    let page = RulePage(
        id: "kerberos-ap-err-modified",
        severity: .error,
        step: .accept,
        title: "The service cannot decrypt the ticket",
        what: "The server answers the AP-REQ with KRB_AP_ERR_BAD_INTEGRITY (31) or KRB_AP_ERR_MODIFIED (41).",
        why: """
            The KDC encrypted the ticket with the key of the account that has the service's name. The service tried another \
            key: that of another account, or one from before the last change of the password.
            """,
        fix: [
            .server(
                "Find out which account has the name (setspn -Q HTTP/host), and run the service under that account."
            ),
            .server(
                "Write the keytab anew after a change of password, and hold its key with klist -ke against the ticket's."
            ),
            .server("Look for the same name on two accounts: setspn -X."),
        ],
        verify: "The answer to the token is another status than 401, or carries negState = accept-completed.",
        lookAlikes: [
            "Codes 35, 44 and 45: the service has no key for the ticket at all, kerberos-service-key-missing.",
            "A reject without a KRB-ERROR gives no reason: negotiate-rejected.",
        ],
        supersedes: ["negotiate-rejected"],
        sources: ["RFC 4120 §3.2.3, §7.5.9"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=41}}
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=Kerberos token={KRB-ERROR code=31}}
            closed by client
            """,
        ],
        notTriggering: [
            """
            # Another reason.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=45}}
            closed by client
            """,
            """
            # No reason.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject}
            closed by client
            """,
            """
            # A new ticket fits.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example kvno=3}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=41}}
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example kvno=4}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
        ],
        samples: ["negotiate-kerberos-refused"]
    )

    let needs: ChainTraits = [.negotiate, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        page.outcome(chain.refusedTickets([31, 41])) { refused in
            let (code, proof) = (refused.error.errorCode, chain.keytabClause(of: refused.exchange))
            // What the keytab proves says more than the code's meaning, and a message is to stay short.
            let reason = proof.isEmpty ? code.nameAndMeaning : "\(code.name) (\(code.rawValue))\(proof)"
            return "the server cannot decrypt the ticket for \(refused.service): \(reason)"
        }
    }
}
