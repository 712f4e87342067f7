import AuthScanSchemes
import AuthScanSessions

struct NegotiateNoToken: Rule {
    let page = RulePage(
        id: "negotiate-no-token",
        severity: .error,
        step: .answer,
        title: "Negotiate is offered, and no token is sent",
        what: "The server offers Negotiate, alone or beside NTLM, and the client sends no credentials at all.",
        why: """
            A client answers Negotiate only where it has, or can get, a ticket for the host and where its policy allows \
            single sign-on to it. Without both it stays silent, mostly without asking the user.
            """,
        fix: [
            .client(
                """
                Look for a ticket (klist), and put the host on the list for single sign-on: the Kerberos SSO extension \
                profile, AuthServerAllowlist (Chromium), network.negotiate-auth.trusted-uris (Firefox).
                """
            ),
            .client("In an app, answer NSURLAuthenticationMethodNegotiate with the default handling."),
            .server("Offer a scheme that needs no ticket, where users outside the domain are to sign in."),
        ],
        verify: "A request with Authorization: Negotiate follows the 401.",
        lookAlikes: [
            "A client that answers with another scheme: no-common-scheme.",
            "A person at a dialog: the answer comes later.",
        ],
        explains: ["challenge-unanswered"],
        sources: ["RFC 4559 §4"],
        triggering: [
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > GET /app
            < ↓401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            end wait 30 s
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            end wait 3 s
            """,
            """
            # Nothing shows that the client would not take Basic.
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            wait 40 s
            closed by server
            connection 2
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.unanswered]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy, chain.exchanges.isEmpty else { return .notApplicable }
        let silent = chain.unansweredChallenges.map(\.transaction).filter { offersNegotiate($0, chain.target) }
        guard let first = silent.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: silent) { return .cannotTell(incompleteness) }
        let names = first.fields(for: chain.target).schemes.map(\.rawValue).joined(separator: " and ")
        let times = silent.count == 1 ? "" : ", \(silent.count) times"
        return .found([
            page.finding(
                "the server offers \(names), and the client sent no token\(times)",
                at: .response(first),
                in: silent,
                confidence: .likely
            )
        ])
    }

    /// Whether Negotiate is offered, and nothing that a client would answer without single sign-on but NTLM.
    private func offersNegotiate(_ transaction: Transaction, _ target: AuthenticationTarget) -> Bool {
        let kinds = transaction.fields(for: target).schemes.map(\.kind)
        return kinds.contains(.negotiate) && kinds.allSatisfy { [.negotiate, .kerberos, .ntlm].contains($0) }
    }
}
