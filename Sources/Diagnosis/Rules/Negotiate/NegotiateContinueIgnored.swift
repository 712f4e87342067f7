import AuthScanSchemes
import AuthScanSessions

struct NegotiateContinueIgnored: Rule {
    let page = RulePage(
        id: "negotiate-continue-ignored",
        severity: .error,
        step: .handshake,
        title: "Server's continuation token is not answered",
        what:
            "The server answers a Negotiate token with another one that asks for a further leg, and the client sends none.",
        why: """
            Negotiate may take several legs: the server chooses a mechanism, or gives NTLM's challenge. A client that takes \
            it for one-shot, or starts anew with every request, never finishes.
            """,
        fix: [
            .client(
                """
                Answer on the same connection until the server's token says accept-completed; URLSession does, where the \
                app answers the challenge once.
                """
            )
        ],
        verify: "A request with the next token follows on the same connection.",
        lookAlikes: [
            "A server that closes the connection in between.",
            "A continuation token with a KRB-ERROR: negotiate-rejected.",
        ],
        supersedes: ["ntlm-handshake-abandoned"],
        explains: ["challenge-unanswered"],
        sources: ["RFC 4559 §5", "RFC 4178 §4.2.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=NTLM token={CHALLENGE_MESSAGE}}
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=NTLM token={CHALLENGE_MESSAGE}}
            end wait 30 s
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=NTLM token={CHALLENGE_MESSAGE}}
            > GET /app
              Authorization: Negotiate {SPNEGO resp token={AUTHENTICATE_MESSAGE user=alice}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=NTLM token={CHALLENGE_MESSAGE}}
            end wait 3 s
            """,
            """
            # The server closes.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM}
            < 401
              Connection: close
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=NTLM token={CHALLENGE_MESSAGE}}
            closed by server
            """,
            """
            # What the server says is why it refuses.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=Kerberos token={KRB-ERROR code=37}}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .unfinished]

    func findings(in chain: Chain) -> Outcome {
        let ignored = chain.ignoredContinuations
        guard let first = ignored.first?.lastLeg else { return .clear }
        let transactions = ignored.map(\.lastLeg.transaction)
        if let incompleteness = chain.incompleteness(of: transactions) { return .cannotTell(incompleteness) }
        let token = first.continuation?.negotiate?.spnego?.negTokenResp
        let carried = token?.responseToken?.ntlm == nil ? "" : " and carries an NTLM challenge"
        let state = token?.negState.map { "says \($0.name)" } ?? "goes on"
        return .found([
            page.finding(
                "the client did not answer the server's token, which \(state)\(carried)",
                at: .response(first.transaction),
                in: transactions
            )
        ])
    }
}
