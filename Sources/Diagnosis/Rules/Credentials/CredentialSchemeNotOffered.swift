import AuthScanSchemes
import AuthScanSessions

struct CredentialSchemeNotOffered: Rule {
    let page = RulePage(
        id: "credential-scheme-not-offered",
        severity: .error,
        title: "Client keeps sending a scheme that is not offered",
        what: """
            The client sends credentials of a scheme, is refused with challenges of other schemes alone, and sends the same \
            scheme again or stops.
            """,
        why: """
            A 401 or 407 lists the schemes that are accepted. Whatever the password is, a credential of another scheme is \
            never looked at: the client must choose from the list.
            """,
        fix: [
            .client(
                """
                Do not set Authorization or Proxy-Authorization by hand: URLSession chooses from the challenge and asks with \
                the NSURLAuthenticationMethod that is offered.
                """
            ),
            .server("Offer the scheme if it is meant to be accepted, or tell its users that it was switched off."),
            .network("For proxies set the credential in the system's proxy settings, not in the app."),
        ],
        verify: "The scheme of the credential is one of those in the last challenge.",
        lookAlikes: ["A first, unasked try that is corrected by the next request."],
        sources: ["RFC 9110 §11.6.2", "RFC 9110 §11.4"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Negotiate
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Basic {basic alice:wrong}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:wrong}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejected]

    /// Whether clients take schemes up because they are challenged for.
    ///
    /// Servers accept tokens of other schemes without ever offering them.
    private static func areAskedFor(_ kind: AuthenticationScheme.Kind) -> Bool {
        switch kind {
        case .basic, .digest, .ntlm, .negotiate: true
        case .kerberos, .bearer, .other: false
        }
    }

    func findings(in chain: Chain) -> Outcome {
        guard let newest = chain.exchanges.last, isUnwanted(newest) else { return .clear }
        let refused = chain.exchanges.reversed().prefix(while: isUnwanted).reversed()
        guard let first = refused.first, let last = refused.last else { return .clear }
        // A single try of a client that can do nothing else is no obstinacy.
        guard refused.count > 1 || isAble(chain.context.schemes(usedBy: chain.session.client), last) else {
            return .clear
        }
        let transactions = refused.map(\.lastLeg.transaction)
        guard refused.count > 1 || chain.provenSilence(after: transactions[0]) != nil else {
            return .cannotTell(
                Incompleteness(
                    "the capture ends too early after the refusal",
                    connections: [transactions[0].connection]
                )
            )
        }
        if let incompleteness = chain.incompleteness(of: transactions) { return .cannotTell(incompleteness) }
        let offered = last.lastLeg.transaction.fields(for: chain.target).schemes.map(\.rawValue).joined(separator: ", ")
        let times = refused.count == 1 ? "" : " \(refused.count) times"
        let message = "the client sends \(first.scheme)\(times), but is offered \(offered) alone"
        return .found([page.finding(message, at: .request(transactions[0]), in: transactions)])
    }

    private func isUnwanted(_ exchange: AuthenticationExchange) -> Bool {
        guard exchange.outcome == .rejected, Self.areAskedFor(exchange.scheme.kind) else { return false }
        let offered = exchange.lastLeg.transaction.fields(for: exchange.target).schemes
        return !offered.isEmpty && !offered.contains(exchange.scheme)
    }

    /// Whether the client sends credentials of one of the offered schemes elsewhere.
    private func isAble(_ used: UsedSchemes, _ exchange: AuthenticationExchange) -> Bool {
        !used.isDisjoint(with: exchange.lastLeg.transaction.fields(for: exchange.target).schemes)
    }
}
