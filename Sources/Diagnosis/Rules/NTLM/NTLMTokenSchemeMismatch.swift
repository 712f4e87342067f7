import AuthScanSchemes
import AuthScanSessions

struct NTLMTokenSchemeMismatch: Rule {
    let page = RulePage(
        id: "ntlm-token-scheme-mismatch",
        severity: .error,
        step: .handshake,
        title: "SPNEGO token under the scheme NTLM",
        what:
            "The client sends an SPNEGO or Kerberos token under NTLM, where the bare NTLM message belongs, and is refused.",
        why: """
            Under NTLM the message itself stands, under Negotiate an SPNEGO token around it. A server that reads NTLM finds \
            no NTLMSSP signature and gives no challenge.
            """,
        fix: [
            .client(
                """
                Build the token with the security package of the scheme that goes on the wire: NTLM for NTLM, Negotiate \
                for Negotiate. URLSession does.
                """
            )
        ],
        verify: "The token after NTLM begins with TlRMTVNTUAAB.",
        lookAlikes: ["A bare NTLM message under Negotiate: servers take it."],
        supersedes: [
            "negotiate-continue-ignored", "negotiate-rejected", "ntlm-handshake-abandoned", "ntlm-login-loop",
            "challenge-unanswered",
        ],
        sources: ["MS-NTHT §2.2.1", "RFC 4559 §4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            > ↓GET /app
              Authorization: NTLM {SPNEGO init mech=NTLM}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: NTLM {SPNEGO init mech=NTLM}
            < 401
              WWW-Authenticate: NTLM {SPNEGO resp state=request-mic mech=NTLM}
            closed by client
            """,
        ],
        notTriggering: [
            """
            # The server understands it.
            connection 1
            > GET /app
              Authorization: NTLM {SPNEGO init mech=NTLM}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: Negotiate {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: Negotiate
            """,
        ]
    )

    let needs: ChainTraits = [.ntlm]

    func findings(in chain: Chain) -> Outcome {
        let wrapped = chain.exchanges.filter { exchange in
            (exchange.outcome == .rejected || exchange.outcome == .abandoned)
                && exchange.legs.contains(where: \.hasTokenOfOtherScheme)
                && !chain.isMadeGood(after: exchange.lastLeg.transaction)
        }
        guard let first = wrapped.first?.legs.first(where: \.hasTokenOfOtherScheme) else { return .clear }
        let token = first.credentials.negotiate
        let name = token?.spnego?.name ?? (token?.kerberos == nil ? "GSS-API token" : "Kerberos token")
        return .found([
            page.finding(
                "the client sent a \(name) under the scheme NTLM, where the NTLM message itself belongs",
                at: .request(first.transaction),
                in: wrapped.flatMap(\.legs).map(\.transaction)
            )
        ])
    }
}

extension Leg {
    /// Whether the request's token is SPNEGO or Kerberos and stands under NTLM.
    fileprivate var hasTokenOfOtherScheme: Bool {
        credentials.scheme.kind == .ntlm && credentials.problems.contains { $0.kind == .otherSchemesToken }
    }
}
