import AuthScanSchemes
import AuthScanSessions

struct KerberosEtypeUnsupported: Rule {
    let page = RulePage(
        id: "kerberos-etype-unsupported",
        severity: .error,
        step: .answer,
        title: "No encryption type in common",
        what: "The KDC answers KDC_ERR_ETYPE_NOSUPP (14) to the encryption types that the client offers.",
        why: """
            Client, KDC and account must share an encryption type. Where RC4 is switched off on one side and the other has no \
            AES key, or the client's configuration allows RC4 alone, there is none, and no ticket is given.
            """,
        fix: [
            .server(
                "Enable AES for the account (msDS-SupportedEncryptionTypes), and set its password anew so that AES keys exist."
            ),
            .client("Remove permitted_enctypes and default_tkt_enctypes from krb5.conf, or add the AES types there."),
        ],
        verify: "An AS-REP or TGS-REP for the same name follows.",
        lookAlikes: ["A client that offers more types in its next request and gets the ticket: nothing is wrong."],
        explains: ["challenge-unanswered", "negotiate-no-token", "negotiate-ntlm-fallback", "no-common-scheme"],
        sources: ["RFC 4120 §3.1.3, §7.5.9", "MS-KILE 2.2.7"],
        triggering: [
            """
            kdc > AS-REQ client=alice etypes=23
            kdc < ↓KRB-ERROR code=14
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # Another user's ticket does not make it good.
            kdc > AS-REQ client=alice etypes=23
            kdc < ↓KRB-ERROR code=14
            kdc > AS-REQ client=bob etypes=18,17
            kdc < AS-REP client=bob
            """,
            """
            # The account of the web server has no key of these types.
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            kdc > TGS-REQ service=HTTP/intranet.example etypes=18
            kdc < ↓KRB-ERROR code=14 service=HTTP/intranet.example
            closed by client
            """,
        ],
        notTriggering: [
            """
            # The next request offers more.
            kdc > AS-REQ client=alice etypes=23
            kdc < KRB-ERROR code=14
            kdc > AS-REQ client=alice etypes=18,23
            kdc < AS-REP client=alice
            """,
            """
            # The HTTP session does not use Kerberos, and another service has no key.
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            kdc > TGS-REQ service=HTTP/intranet.example etypes=18
            kdc < KRB-ERROR code=14 service=HTTP/intranet.example
            kdc > TGS-REQ service=HTTP/intranet.example etypes=18,23
            kdc < TGS-REP service=HTTP/intranet.example
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.kdc]

    func findings(in chain: Chain) -> Outcome {
        let tickets = chain.context.tickets
        let refusals = chain.kdcRefusals([14]).filter { refusal in
            // Without the question, nothing says for whom the answer is.
            guard let isInitial = refusal.isInitial else { return false }
            return isInitial ? !tickets.isUserLetIn(after: refusal) : !tickets.isServiceGiven(after: refusal)
        }
        return page.outcome(refusals, in: chain) { first, _ in
            let offered = first.etypes.prefix(8).map(\.name).joined(separator: ", ")
            let name = first.isInitial == false ? "the service \"\(first.sname?.text ?? "")\"" : first.userInQuotes
            return "the KDC has none of the encryption types offered (\(offered)) for \(name): \(first.reason)"
        }
    }
}
