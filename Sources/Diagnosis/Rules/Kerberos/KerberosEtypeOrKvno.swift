import AuthScanSchemes
import AuthScanSessions

struct KerberosEtypeOrKvno: Rule {
    let page = RulePage(
        id: "kerberos-etype-or-kvno",
        severity: .note,
        title: "Ticket's encryption type or key version may be unknown to the service",
        what:
            "A refused ticket is encrypted with RC4, or with another key version than an accepted one for the same service.",
        why: """
            A service decrypts tickets with the keys of its keytab. One that was made before a password change, or with AES \
            keys alone, lacks the key of the ticket.
            """,
        fix: [
            .server("Make a new keytab with all encryption types and the current key version (ktpass, ktutil, kvno)."),
            .server("Restrict the account to AES (msDS-SupportedEncryptionTypes), and let clients get new tickets."),
        ],
        verify: "The accepted ticket's etype and kvno are in the output of klist -ke for the service's keytab.",
        lookAlikes: ["RC4 that is accepted: weak, and no failure."],
        sources: ["RFC 4120 §5.2.9", "RFC 4757"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ etype=23 kvno=4}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject}
            closed by client
            """,
            """
            connection 1
            > GET /a
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ kvno=4}}
            < 200
            > ↓GET /b
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ kvno=5}}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ etype=23 kvno=4}}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ etype=18 kvno=4}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject}
            closed by client
            """,
            """
            # The clocks are the reason.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ etype=23 kvno=4}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .failedTry]

    /// ETYPE_NOSUPP, BAD_INTEGRITY, MODIFIED, BADKEYVER, NOKEY.
    ///
    /// - Source: RFC 4120 §7.5.9.
    private static let keyErrors = [14, 31, 41, 44, 45]

    func findings(in chain: Chain) -> Outcome {
        for exchange in chain.refusedTickets {
            if let error = exchange.krbError, !KerberosEtypeOrKvno.keyErrors.contains(error.errorCode.rawValue) {
                continue
            }
            guard let (message, leg) = exchange.apReq, let fault = fault(of: message.ticket, in: chain) else {
                continue
            }
            return .found([
                page.finding(
                    "the refused ticket for \(message.ticket.sname.text) \(fault)",
                    at: .request(leg.transaction),
                    in: [leg.transaction],
                    confidence: .possible
                )
            ])
        }
        return .clear
    }

    private func fault(of ticket: Ticket, in chain: Chain) -> String? {
        let accepted = chain.exchanges.lazy.filter { $0.outcome == .accepted }.compactMap { $0.apReq?.message.ticket }
            .filter { $0.sname.nameString == ticket.sname.nameString }
        if let kvno = ticket.encPart.kvno, let other = accepted.compactMap(\.encPart.kvno).first(where: { $0 != kvno })
        {
            return "has key version \(kvno), an accepted one has \(other)"
        }
        let etype = ticket.encPart.etype
        guard etype.isRC4, !accepted.contains(where: { $0.encPart.etype.isRC4 }) else { return nil }
        return "is encrypted with \(etype.name) (\(etype.rawValue))"
    }
}
