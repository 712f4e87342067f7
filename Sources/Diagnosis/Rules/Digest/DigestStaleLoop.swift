import AuthScanSchemes
import AuthScanSessions

struct DigestStaleLoop: Rule {
    let page = RulePage(
        id: "digest-stale-loop",
        severity: .error,
        title: "Server answers every attempt with stale=true",
        what: "Three answers or more in a row, each with the newest nonce, are all refused with stale=true.",
        why: """
            stale=true asks the client to try again with the new nonce, without asking the user. A server that finds each \
            of its own nonces too old keeps the client in a loop that ends in a time-out.
            """,
        fix: [
            .server(
                """
                Share the key or the table of the nonces among the servers of a cluster, and look at their clocks and at the \
                nonce lifetime.
                """
            ),
            .network(
                "Keep a client on one server (sticky sessions); nonces bound to an address break behind NAT or a proxy."
            ),
            .client("Stop after the second stale=true in a row and report an error."),
        ],
        verify: "One round with the new nonce after stale=true is accepted.",
        lookAlikes: [
            "stale=true every few minutes, each made good by one round: the nonce's normal life.",
            "A client that goes on using the old nonce.",
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
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", stale=true
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b22", uri="/app", qop=auth, nc=00000001, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b23", qop="auth", stale=true
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b23", uri="/app", qop=auth, nc=00000001, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < ↓401
              WWW-Authenticate: Digest realm="app", nonce="b24", qop="auth", stale=true
            closed by client
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
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", stale=true
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b22", uri="/app", qop=auth, nc=00000001, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b23", qop="auth", stale=true
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b23", uri="/app", qop=auth, nc=00000001, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 200
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", stale=true
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b23", qop="auth", stale=true
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000003, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b24", qop="auth", stale=true
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedDigest, .repeatedRejection]

    /// How many refusals in a row make a loop.
    private static let limit = 3

    func findings(in chain: Chain) -> Outcome {
        var row: [AuthenticationExchange] = []
        var rows: [[AuthenticationExchange]] = []
        for (index, exchange) in chain.exchanges.enumerated() where exchange.scheme.kind == .digest {
            if exchange.outcome == .rejected, exchange.isRefusedAsStale {
                // What was under way when the nonce was renewed is no further attempt with the new one.
                if chain.digestFaults[index].isDisjoint(with: [.nonce, .ignoredNonce]),
                    isLater(exchange, than: row.last)
                {
                    row.append(exchange)
                }
            } else if exchange.outcome != .unknown {
                rows.append(row)
                row = []
            }
        }
        rows.append(row)
        return .from(rows.filter { $0.count >= Self.limit }.map { finding($0, in: chain) })
    }

    private func finding(_ row: [AuthenticationExchange], in chain: Chain) -> Finding {
        let last = row[row.count - 1].lastLeg.transaction
        let isMended = chain.isMadeGood(after: last)
        return page.finding(
            "\(row.count) answers in a row, each with the newest nonce, were refused with stale=true",
            at: .response(row[Self.limit - 1].lastLeg.transaction),
            in: row.map(\.lastLeg.transaction),
            severity: isMended ? .warning : nil
        )
    }

    /// Whether an attempt was made when the answer to the one before was known.
    private func isLater(_ exchange: AuthenticationExchange, than earlier: AuthenticationExchange?) -> Bool {
        guard let earlier = earlier?.lastLeg.transaction else { return true }
        return exchange.lastLeg.transaction.packet > earlier.responsePacket ?? .max
    }
}
