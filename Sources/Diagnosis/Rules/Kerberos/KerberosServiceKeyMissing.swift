import AuthScanSchemes
import AuthScanSessions

struct KerberosServiceKeyMissing: Rule {
    let page = RulePage(
        id: "kerberos-service-key-missing",
        severity: .error,
        step: .accept,
        title: "The service has no key for this ticket",
        what: """
            The server answers the AP-REQ with KRB_AP_ERR_NOT_US (35), KRB_AP_ERR_BADKEYVER (44) or KRB_AP_ERR_NOKEY (45).
            """,
        why: """
            A service decrypts a ticket with the key that its keytab or account has for the ticket's service name, key version \
            and encryption type. It says that there is none: the ticket is good, and meant for somebody else.
            """,
        fix: [
            .server("Add the ticket's service name to the keytab that the service reads: kadmin ktadd, or ktpass."),
            .server("After a change of the account's password write the keytab anew: the key version has gone up."),
            .server("Run the service under the account that has the name (setspn -Q HTTP/host)."),
        ],
        verify: "klist -ke lists the ticket's name, key version and encryption type; the token is accepted.",
        lookAlikes: [
            "Codes 31 and 41: a key is there, and is another, kerberos-ap-err-modified.",
            "Code 7 from the KDC: no account has the name, and there is no ticket at all, kerberos-spn-unknown.",
        ],
        supersedes: ["negotiate-rejected"],
        sources: ["RFC 4120 §3.2.3, §7.5.9"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example kvno=7}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=44}}
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓403
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=35}}
            closed by client
            """,
        ],
        notTriggering: [
            """
            # The key is there, and is another.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=31}}
            closed by client
            """,
            """
            # No account has the name: the KDC gives no ticket.
            kdc > TGS-REQ service=HTTP/intranet.example
            kdc < KRB-ERROR code=7
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        page.outcome(chain.refusedTickets([35, 44, 45])) { refused in
            "the server has no key for the ticket for \(refused.service): \(refused.error.errorCode.nameAndMeaning)"
        }
    }
}
