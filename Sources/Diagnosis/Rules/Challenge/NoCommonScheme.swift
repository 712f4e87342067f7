import AuthScanSchemes
import AuthScanSessions

struct NoCommonScheme: Rule {
    let page = RulePage(
        id: "no-common-scheme",
        severity: .error,
        step: .answer,
        title: "Client and server have no scheme in common",
        what: "The client sent credentials of a scheme that the server does not offer, was refused, and stopped.",
        why: """
            A client can only answer a scheme that it knows. An app that handles NTLM alone, say, has nothing to say to \
            a server that offers Negotiate alone, and stays at the 401.
            """,
        fix: [
            .server("Offer a second scheme that the client knows, over TLS."),
            .client(
                """
                Handle NSURLAuthenticationMethodNegotiate as well as NSURLAuthenticationMethodNTLM in the delegate; \
                .performDefaultHandling leaves the choice to the system.
                """
            ),
        ],
        verify: "The request after the 401 carries credentials of a scheme that the 401 offers.",
        lookAlikes: [
            "A client that has never sent credentials: nothing is known of what it can do (challenge-unanswered).",
            "A client that goes on sending a scheme which is not offered: it ignores the challenge.",
        ],
        explains: ["challenge-unanswered"],
        sources: ["RFC 9110 §11.4", "RFC 4559 §4"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓401
              WWW-Authenticate: Negotiate
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            connection 2 to 198.51.100.30:80
            > GET /other
              Host: other.example
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ}}
            < 200
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            # The token is one of Bearer, whose name was left out.
            connection 1
            > GET /app
              Authorization: eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJhbGljZSJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg
            < 401
              WWW-Authenticate: Bearer realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejected]

    func findings(in chain: Chain) -> Outcome {
        guard let last = chain.exchanges.last, last.outcome == .rejected else { return .notApplicable }
        // A token without a scheme's name may well be meant for a scheme that is offered.
        guard chain.exchanges.count == 1, !last.lastLeg.credentials.isBareToken else { return .clear }
        let transaction = last.lastLeg.transaction
        let offered = transaction.fields(for: chain.target).schemes
        guard !offered.isEmpty, !offered.contains(last.scheme),
            chain.context.schemes(usedBy: chain.session.client).isDisjoint(with: offered)
        else { return .clear }
        guard chain.provenSilence(after: transaction) != nil else {
            return .cannotTell(
                Incompleteness("the capture ends too early after the refusal", connections: [transaction.connection])
            )
        }
        let names = offered.map(\.rawValue).joined(separator: ", ")
        let message = "the client sent \(last.scheme), the server offers \(names) alone, and the client stopped"
        return .found([page.finding(message, at: .response(transaction), in: [transaction])])
    }
}
