import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct KerberosSPNUnknown: Rule {
    let page = RulePage(
        id: "kerberos-spn-unknown",
        severity: .error,
        step: .answer,
        title: "The KDC does not know the service",
        what:
            "The client asks for a ticket for HTTP/ and the host, and the KDC answers KDC_ERR_S_PRINCIPAL_UNKNOWN (7).",
        why: """
            Under Negotiate a client asks for a ticket whose service name it makes of the host in the URL. Without an account \
            that has this name registered there is no key to encrypt a ticket with, and the client falls back to NTLM or gives up.
            """,
        fix: [
            .server(
                "Register the name on the account that runs the service: setspn -S HTTP/host account, or kadmin addprinc."
            ),
            .server(
                "For an alias or a load balancer, register the name that users type, on one account for all servers."
            ),
            .client("Use the registered name in the URL: the full host name, no address, no alias."),
        ],
        verify: "A TGS-REP for HTTP/ and the host follows the TGS-REQ, and the token under Negotiate holds an AP-REQ.",
        lookAlikes: [
            "A client that asks for the canonical name of an alias next, and gets a ticket for that: nothing is wrong.",
            "Error 7 for another service class than HTTP: the site does not depend on it.",
        ],
        explains: ["challenge-unanswered", "negotiate-no-token", "negotiate-ntlm-fallback", "no-common-scheme"],
        sources: ["RFC 4120 §7.5.9", "RFC 4559 §4"],
        triggering: [
            """
            connection 1
            > GET /app
              Host: portal.corp.example
            < 401
              WWW-Authenticate: Negotiate
            kdc > TGS-REQ service=HTTP/portal.corp.example
            kdc < ↓KRB-ERROR code=7 service=HTTP/portal.corp.example
            closed by client
            """,
            """
            # NTLM gets the client in after all: a warning.
            kdc > TGS-REQ service=http/INTRANET.example
            kdc < ↓KRB-ERROR code=7 service=http/INTRANET.example
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            > GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: Negotiate {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # The capture shows the KDC alone.
            kdc > TGS-REQ service=HTTP/portal.corp.example
            kdc < ↓KRB-ERROR code=7 service=HTTP/portal.corp.example
            """,
        ],
        notTriggering: [
            """
            # The client asks for the canonical name next.
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            kdc > TGS-REQ service=HTTP/intranet.example
            kdc < KRB-ERROR code=7 service=HTTP/intranet.example
            kdc > TGS-REQ service=HTTP/web03.corp.example
            kdc < TGS-REP service=HTTP/web03.corp.example
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/web03.corp.example}}
            < 200
            """,
            """
            # Another service than a web server's.
            kdc > TGS-REQ service=cifs/files.corp.example
            kdc < KRB-ERROR code=7 service=cifs/files.corp.example
            """,
            """
            # The name is registered a little later.
            kdc > TGS-REQ service=HTTP/portal.corp.example
            kdc < KRB-ERROR code=7 service=HTTP/portal.corp.example
            wait 2 min
            kdc > TGS-REQ service=HTTP/portal.corp.example
            kdc < TGS-REP service=HTTP/portal.corp.example
            """,
        ]
    )

    let needs: ChainTraits = [.kdc]

    func findings(in chain: Chain) -> Outcome {
        let given = chain.session.kdcExchanges.filter { $0.reply != nil && $0.sname?.isOfWebServer == true }
        let refusals = chain.kdcRefusals([7]).filter { refusal in
            refusal.isInitial != true && refusal.sname?.isOfWebServer == true
                && !chain.context.tickets.isServiceGiven(after: refusal) && !isRenamed(refusal, given)
        }
        let services = Set(refusals.compactMap { $0.sname?.text.lowercased() }).count
        return page.outcome(refusals, in: chain) { first, _ in
            let others = services > 1 ? " and \(services - 1) more" : ""
            return "the KDC does not know the service \"\(first.sname?.text ?? "")\"\(others): \(first.reason)"
        }
    }

    /// Whether the next ticket for a web server, of another name, comes right after.
    private func isRenamed(_ refusal: KDCExchange, _ given: [KDCExchange]) -> Bool {
        let next = given.firstIndexInOrder { $0.packet > refusal.packet }
        return next < given.endIndex && given[next].time.seconds(since: refusal.time) <= Self.secondsToRename
    }

    /// Within how many seconds a client asks for the same server under another name.
    private static let secondsToRename = 5.0
}

extension PrincipalName {
    /// Whether it is the name of a service of class HTTP.
    fileprivate var isOfWebServer: Bool { nameString.count >= 2 && nameString[0].lowercased() == "http" }
}
