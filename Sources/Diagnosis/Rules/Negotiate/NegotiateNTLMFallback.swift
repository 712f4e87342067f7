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
            """
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
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        let negotiate = chain.exchanges.filter { $0.scheme.kind == .negotiate }
        guard !negotiate.contains(where: { $0.ntlmChallenge != nil }), !chain.endsInSuccess else { return .clear }
        let refused = negotiate.filter { exchange in
            guard case .negotiate? = exchange.lastLeg.ntlm else { return false }
            return exchange.outcome == .rejected
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
