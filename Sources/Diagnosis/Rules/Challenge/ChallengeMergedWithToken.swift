import AuthScanSchemes
import AuthScanSessions

struct ChallengeMergedWithToken: Rule {
    let page = RulePage(
        id: "challenge-merged-with-token",
        severity: .warning,
        step: .handshake,
        title: "Handshake token and another scheme share one field",
        what: """
            The challenge that carries an NTLM or Negotiate token is followed by another scheme in the same field line, and \
            the client does not go on with the handshake.
            """,
        why: """
            The grammar allows several challenges in one line, separated by commas. Clients that take all of the line for \
            the token cannot decode it, and stop or begin anew.
            """,
        fix: [
            .server(
                "Send each challenge in a WWW-Authenticate line of its own; Exchange and IIS front ends can join them."
            ),
            .network("Look for a proxy that folds repeated fields into one."),
            .client("Split the field by the grammar of RFC 9110: URLSession does."),
        ],
        verify: "The response with the token has one challenge a line, and the client's next message follows.",
        lookAlikes: ["A client that reads the line rightly and goes on."],
        explains: ["ntlm-handshake-abandoned"],
        sources: ["RFC 9110 §5.3", "RFC 9110 §11.6.1", "MS-NTHT 2.2.1"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < ↓401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}, Negotiate
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}, Negotiate
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}, Negotiate
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
              WWW-Authenticate: Negotiate
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .tokenScheme, .unfinished]

    func findings(in chain: Chain) -> Outcome {
        let stumbled = chain.exchanges.filter {
            $0.isConnectionBound && $0.outcome == .abandoned && mergedScheme($0) != nil
        }.map { ($0, $0.lastLeg.transaction) }
        guard let (exchange, first) = stumbled.first else { return .clear }
        let transactions = stumbled.map(\.1)
        if let incompleteness = chain.incompleteness(of: transactions) { return .cannotTell(incompleteness) }
        let message = """
            the \(exchange.scheme) token shares its field line with \(mergedScheme(exchange) ?? ""), and the client does not \
            go on
            """
        let isMended = chain.isMadeGood(after: transactions[transactions.count - 1])
        return .found([
            page.finding(
                message,
                at: .response(first),
                in: transactions,
                severity: isMended ? .note : nil,
                confidence: .likely
            )
        ])
    }

    /// The scheme that follows the token of an exchange's challenge in the same line; `nil` where none does.
    private func mergedScheme(_ exchange: AuthenticationExchange) -> String? {
        let challenges = exchange.lastLeg.transaction.fields(for: exchange.target).challenges
        let pairs = zip(challenges, challenges.dropFirst())
        return pairs.first { challenge, next in
            // Offsets count from the start of each line.
            guard challenge.scheme == exchange.scheme, let token = challenge.token68 else { return false }
            return next.offset > token.offset
        }?.1.scheme.rawValue
    }
}
