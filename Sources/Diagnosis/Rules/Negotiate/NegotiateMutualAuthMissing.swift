import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NegotiateMutualAuthMissing: Rule {
    let page = RulePage(
        id: "negotiate-mutual-auth-missing",
        severity: .warning,
        title: "Final response lacks the server's proof",
        what: "The AP-REQ asks for mutual authentication, and the successful response has no Negotiate token.",
        why: """
            With mutual authentication the server proves itself by an AP-REP in WWW-Authenticate. Libraries that insist on \
            it raise an error after a 200; browsers do not look.
            """,
        fix: [
            .server("Send the token that accepting the context gives, in WWW-Authenticate of the final response."),
            .network("Do not strip WWW-Authenticate from successful responses."),
            .client("Where the transport is TLS with a verified certificate, make mutual authentication optional."),
        ],
        verify: "The 2xx response has WWW-Authenticate: Negotiate with a token.",
        lookAlikes: ["A token with accept-completed and no AP-REP where mutual authentication was not asked for."],
        sources: ["RFC 4559 §5", "RFC 4178 §3.2", "RFC 4120 §3.2.4"],
        triggering: [
            """
            connection 1
            > GET /app
              User-Agent: python-requests/2.32.0
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓200
            """,
            """
            # A note: browsers do not insist.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed token={AP-REP}}
            """,
            """
            connection 1
            > GET http://intranet.example/app
              Proxy-Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/proxy.example}}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .accepted]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy else { return .notApplicable }
        let unproven = chain.exchanges.filter { exchange in
            let transaction = exchange.lastLeg.transaction
            guard exchange.outcome == .accepted, let status = transaction.status, (200..<300).contains(status) else {
                return false
            }
            return !transaction.originFields.challenges.contains { $0.token68 != nil }
                && exchange.apReq?.message.requiresMutual == true
        }.map(\.lastLeg.transaction)
        guard let first = unproven.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: unproven) { return .cannotTell(incompleteness) }
        let isBrowser = first.request?.fields.text(of: .userAgent)?.hasPrefix("Mozilla/") == true
        return .found([
            page.finding(
                "the client asked for mutual authentication, and the \(first.status ?? 0) has no Negotiate token",
                at: .response(first),
                in: unproven,
                severity: isBrowser ? .note : .warning
            )
        ])
    }
}
