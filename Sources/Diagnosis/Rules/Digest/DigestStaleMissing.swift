import AuthScanSchemes
import AuthScanSessions

struct DigestStaleMissing: Rule {
    let page = RulePage(
        id: "digest-stale-missing",
        severity: .warning,
        title: "Expired nonce refused without stale=true",
        what: """
            A nonce that was accepted before is refused with a new one, but without stale=true; the same user is accepted \
            with the new nonce.
            """,
        why: """
            Without stale=true a 401 means that user or password are wrong. Clients then ask the user again, or give up, \
            although the password is right and only the nonce has expired.
            """,
        fix: [
            .server("Send stale=true where the response is right and the nonce is too old."),
            .client("Try once more with the new nonce before asking the user: URLSession does."),
        ],
        verify: "The 401 that renews a nonce says stale=true.",
        lookAlikes: [
            "The first challenge of another realm on the same host: it knows of no nonce yet.",
            "An answer refused because of its nc, uri or another parameter.",
        ],
        sources: ["RFC 7616 §3.3"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            wait 5 min
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < ↓401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b22", uri="/news", qop=auth, nc=00000001, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            wait 5 min
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", stale=true
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b22", uri="/news", qop=auth, nc=00000001, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 200
            """,
            """
            connection 1
            > GET /a
            < 401
              WWW-Authenticate: Digest realm="a", nonce="a1", qop="auth"
            > GET /a
              Authorization: Digest username="alice", realm="a", nonce="a1", uri="/a", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            > GET /b
            < 401
              WWW-Authenticate: Digest realm="b", nonce="b1", qop="auth"
            > GET /b
              Authorization: Digest username="alice", realm="b", nonce="b1", uri="/b", qop=auth, nc=00000001, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault, .accepted]

    func findings(in chain: Chain) -> Outcome {
        // From the last to the first, so that the next acceptance of each user is known.
        var accepted: [String: AuthenticationExchange] = [:]
        var expired: [(refused: AuthenticationExchange, next: AuthenticationExchange)] = []
        for (index, exchange) in chain.exchanges.enumerated().reversed() where exchange.scheme.kind == .digest {
            guard let user = exchange.user else { continue }
            if exchange.outcome == .accepted { accepted[user] = exchange }
            guard exchange.outcome == .rejected, chain.digestFaults[index] == [.usedNonce], isRenewed(exchange),
                let next = accepted[user], next.nonce != exchange.nonce
            else { continue }
            expired.append((exchange, next))
        }
        guard let (first, next) = expired.last else { return .clear }
        let times = expired.count == 1 ? "" : " (\(expired.count) times)"
        let message = """
            a nonce that was accepted before is refused without stale=true\(times); \(first.accountInQuotes) is accepted with \
            a newer one
            """
        let refused = expired.reversed().map(\.refused.lastLeg.transaction)
        let transactions = [refused[0], next.lastLeg.transaction] + refused.dropFirst()
        return .found([page.finding(message, at: .response(refused[0]), in: transactions)])
    }

    /// Whether the refusal offers another nonce and does not call the old one stale.
    private func isRenewed(_ exchange: AuthenticationExchange) -> Bool {
        let transaction = exchange.lastLeg.transaction
        guard transaction.status == exchange.target.refusalStatus, transaction.isComplete, !exchange.isRefusedAsStale
        else { return false }
        return transaction.fields(for: exchange.target).challenges.contains {
            $0.scheme.kind == .digest && $0.parameters["nonce"] != exchange.nonce
        }
    }
}

extension AuthenticationExchange {
    /// The nonce of a Digest answer; `nil` for other schemes.
    fileprivate var nonce: String? { lastLeg.credentials.digest?.nonce }
}
