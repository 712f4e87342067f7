import AuthScanSchemes
import AuthScanSessions

struct KerberosAPErrSkew: Rule {
    let page = RulePage(
        id: "kerberos-ap-err-skew",
        severity: .error,
        step: .accept,
        title: "The clocks of client and server differ too much",
        what: "The server answers the AP-REQ with KRB_AP_ERR_SKEW (37).",
        why: """
            The authenticator beside the ticket carries the client's time. A service refuses one that is further off its own \
            clock than the tolerance, five minutes as a rule, for it might be a replay.
            """,
        fix: [
            .server("Set the web server's clock from the time server that the domain uses."),
            .client("Set the device's clock automatically; check date, time zone and year."),
        ],
        verify: "The answer to the token is another status than 401, or carries negState = accept-completed.",
        lookAlikes: ["Error 37 on port 88: kerberos-kdc-clock-skew."],
        supersedes: ["negotiate-rejected"],
        sources: ["RFC 4120 §3.2.3, §5.9.1, §7.5.9"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
            closed by client
            """,
            """
            # As if the negotiation went on.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=Kerberos token={KRB-ERROR code=37}}
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
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=41}}
            closed by client
            """,
            """
            # The client corrects its time and is let in.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
            wait 2 s
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        page.outcome(chain.refusedTickets([37])) { refused in
            let clocks = refused.error.clocks(at: refused.transaction.endTime)
            return
                "the server finds the client's clock too far off, \(refused.error.errorCode.nameAndMeaning): \(clocks)"
        }
    }
}
