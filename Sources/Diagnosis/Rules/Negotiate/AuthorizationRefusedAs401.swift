import AuthScanSchemes
import AuthScanSessions

struct AuthorizationRefusedAs401: Rule {
    let page = RulePage(
        id: "authorization-refused-as-401",
        severity: .error,
        step: .authorize,
        title: "401 although the authentication is finished",
        what:
            "The 401 carries a Negotiate token with accept-completed: the server knows the user and refuses the resource.",
        why: """
            The mechanism has succeeded; what refuses is an access rule behind it, such as Require user or Require group of \
            Apache httpd, which answers 401. Clients take it for a wrong credential and ask again.
            """,
        fix: [
            .server("Give the user access, or answer 403: AuthzSendForbiddenOnFailure On in Apache httpd."),
            .client("Do not ask for another credential where the server's token says accept-completed."),
        ],
        verify: "The answer to the same token is 2xx, or 403 where the user is to be kept out.",
        lookAlikes: ["A 401 whose token says accept-incomplete or reject."],
        sources: ["RFC 4178 §4.2.2", "RFC 9110 §15.5.2", "RFC 9110 §15.5.4"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed token={AP-REP}}
            closed by client
            """
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
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .refusal]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter {
            $0.scheme.kind == .negotiate && $0.outcome == .accepted
                && $0.lastLeg.transaction.status == chain.target.refusalStatus
        }.map(\.lastLeg.transaction)
        guard let first = refused.first else { return .clear }
        return .found([
            page.finding(
                "the server's token says accept-completed, and the status is \(chain.target.refusalStatus)",
                at: .response(first),
                in: refused
            )
        ])
    }
}
