import AuthScanSchemes
import AuthScanSessions

struct KerberosSPNHostMismatch: Rule {
    let page = RulePage(
        id: "kerberos-spn-host-mismatch",
        severity: .error,
        step: .accept,
        title: "Ticket is for another host name",
        what: "The refused ticket names another host than the request does.",
        why: """
            A ticket is encrypted with the key of the account that its service principal belongs to. Where the client made \
            the name from an alias's target, from reverse DNS or from one member of a farm, the service that answers may run \
            under another account and cannot decrypt it.
            """,
        fix: [
            .server(
                """
                Register the SPN of the name that users type (setspn -S HTTP/name account) on the account which runs the \
                service; a farm shares one account.
                """
            ),
            .client("Switch canonicalisation off: rdns = false and dns_canonicalize_hostname = false in krb5.conf."),
        ],
        verify: "The ticket's service principal is HTTP/ and the host of the URL.",
        lookAlikes: [
            "The same difference in an accepted ticket: an alias whose target has the key.",
            "A short name against the full one: a note.",
        ],
        supersedes: [
            "negotiate-rejected", "negotiate-mech-mismatch", "kerberos-ap-err-modified", "kerberos-service-key-missing",
        ],
        sources: ["RFC 4559 §4.1", "RFC 4120 §6.2.1"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/web-lb-02.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=41}}
            closed by client
            """,
            """
            # A note: the short name may belong to the same account.
            connection 1
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet}}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/web-lb-02.example}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
            """
            connection 1
            > GET /app
              Host: INTRANET.example:80
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=http/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=41}}
            closed by client
            """,
            """
            # The clocks are the reason.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/web-lb-02.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedTickets.filter { exchange in
            exchange.krbError.map { KerberosSPNHostMismatch.keyErrors.contains($0.errorCode.rawValue) } ?? true
        }
        let mismatches = refused.compactMap { exchange in
            exchange.apReq.flatMap { ticket in
                otherHost(in: ticket.message, chain).map { (leg: ticket.leg, host: $0) }
            }
        }
        guard let first = mismatches.first else { return .clear }
        let host = chain.space.origin.host
        let isShort = isShortForm(of: host, first.host)
        return .found([
            page.finding(
                "the refused ticket is for HTTP/\(first.host), and the request goes to \(host)",
                at: .request(first.leg.transaction),
                in: mismatches.map(\.leg.transaction),
                severity: isShort ? .note : .error,
                confidence: isShort ? .possible : .likely
            )
        ])
    }

    /// BAD_INTEGRITY, NOT_US, MODIFIED, BADKEYVER, NOKEY, GENERIC: what a service says that has not the ticket's key.
    ///
    /// - Source: RFC 4120 §7.5.9.
    private static let keyErrors = [31, 35, 41, 44, 45, 60]

    /// The host of the ticket's service, in lower case; `nil` where it is the request's or nothing can be compared.
    private func otherHost(in request: APReq, _ chain: Chain) -> String? {
        let name = request.ticket.sname.nameString
        let origin = chain.space.origin
        // The capture shows a proxy's address, and tickets are for names.
        guard name.count >= 2, name[0].lowercased() == "http", !origin.isAddress else { return nil }
        let host = name[1].lowercased()
        return host == origin.host || host.isEmpty ? nil : host
    }

    /// Whether one of the names is the first label of the other.
    private func isShortForm(of host: String, _ other: String) -> Bool {
        host.hasPrefix(other + ".") || other.hasPrefix(host + ".")
    }
}
