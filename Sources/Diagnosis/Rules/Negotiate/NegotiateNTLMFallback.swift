import AuthScanSchemes
import AuthScanSessions

struct NegotiateNTLMFallback: Rule {
    let page = RulePage(
        id: "negotiate-ntlm-fallback",
        severity: .error,
        step: .handshake,
        title: "Client falls back to NTLM where only Kerberos is taken",
        what: "Under Negotiate the client sends an NTLM NEGOTIATE_MESSAGE; the server gives no challenge and refuses.",
        why: """
            Negotiate carries Kerberos or NTLM. A client without a ticket for the host (no SPN, an alias or an address in \
            the URL, no domain controller in reach) falls back to NTLM, which a Kerberos-only server does not speak.
            """,
        fix: [
            .server(
                "Register the SPN of the name in the URL (setspn -S HTTP/host account), and put its key into the keytab."
            ),
            .client(
                "Use the host's full name in the URL, and put it on the list of the Kerberos SSO extension profile."
            ),
        ],
        verify: "The token under Negotiate holds an AP-REQ.",
        lookAlikes: ["A server that answers with an NTLM challenge: it speaks NTLM, and nothing is wrong."],
        supersedes: ["challenge-unanswered", "negotiate-rejected", "no-common-scheme"],
        sources: ["RFC 4559 §4", "RFC 4178 §3.1"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Negotiate
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM token={NEGOTIATE_MESSAGE}}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 403
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: Negotiate {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # The server offers NTLM as well.
            connection 1
            > GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            # The next try has a ticket.
            connection 1
            > GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
        ],
        samples: ["negotiate-ntlm-fallback"]
    )

    let needs: ChainTraits = [.rejectedNegotiate]

    func findings(in chain: Chain) -> Outcome {
        let negotiate = chain.exchanges.filter { $0.scheme.kind == .negotiate }
        // A server that offers NTLM by name, or gives a challenge, is no server for Kerberos alone.
        guard !negotiate.contains(where: { $0.ntlmChallenge != nil }),
            !chain.space.schemes.contains(where: { $0.kind == .ntlm })
        else { return .clear }
        let refused = negotiate.filter {
            $0.outcome == .rejected && $0.lastLeg.beginsWithNTLM && !chain.isMadeGood(after: $0.lastLeg.transaction)
        }
        guard let first = refused.first else { return .clear }
        let transaction = first.lastLeg.transaction
        let address = chain.space.origin.isAddress ? " (the URL names the server by its address)" : ""
        let message =
            "the client sent NTLM under Negotiate, and the server refused it with \(transaction.status ?? 0)"
            + " without a challenge\(address)"
        return .found([page.finding(message, at: .request(transaction), in: refused.map(\.lastLeg.transaction))])
    }
}

extension Leg {
    /// Whether the token is the first message of NTLM, or an offer of mechanisms with NTLM as the first one.
    fileprivate var beginsWithNTLM: Bool {
        if case .negotiate? = ntlm { return true }
        let offer = credentials.negotiate?.spnego?.negTokenInit
        return offer?.mechTypes.first == .ntlm && offer?.mechToken == nil
    }
}
