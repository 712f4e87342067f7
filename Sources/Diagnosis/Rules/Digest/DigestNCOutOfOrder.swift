import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct DigestNCOutOfOrder: Rule {
    let page = RulePage(
        id: "digest-nc-out-of-order",
        severity: .warning,
        title: "Parallel requests reach the server with nc out of order",
        what: "A request with a lower nc arrives after one with a higher nc on another connection, and is refused.",
        why: """
            Clients send requests with one nonce over several connections, and the network decides which comes first. A \
            server that demands a rising nc refuses the one that was overtaken.
            """,
        fix: [
            .server("Remember the counts that were used, or accept a window of them, instead of a rising order."),
            .client("Send the requests over one connection (httpMaximumConnectionsPerHost = 1)."),
        ],
        verify: "Requests that overtake each other are all accepted.",
        lookAlikes: ["Counts out of order that the server accepts: normal with parallel connections."],
        supersedes: ["digest-stale-missing"],
        sources: ["RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            connection 2
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            connection 2
            > GET /logo.svg
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/logo.svg", qop=auth, nc=00000003, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 200
            connection 1
            > ↓GET /app.js
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app.js", qop=auth, nc=00000002, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            > GET /app.js
              Authorization: Digest username="alice", realm="app", nonce="b22", uri="/app.js", qop=auth, nc=00000001, cnonce="c", response="f0e1d2c3b4a5968778695a4b3c2d1e0f"
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            connection 2
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            connection 2
            > GET /logo.svg
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/logo.svg", qop=auth, nc=00000003, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 200
            connection 1
            > GET /app.js
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app.js", qop=auth, nc=00000002, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 200
            """
        ]
    )

    let needs: ChainTraits = [.digestFault]

    /// How long one request can overtake another, in seconds.
    private static let window = 2.0

    func findings(in chain: Chain) -> Outcome {
        let overtaken: [(Transaction, earlier: Transaction)] =
            chain.refusedDigestIndices { $0.contains(.countOrder) }.compactMap { index in
                let transaction = chain.exchanges[index].lastLeg.transaction
                guard let earlier = chain.digestFaults.overtaker(of: index),
                    earlier.connection != transaction.connection,
                    transaction.startTime.seconds(since: earlier.startTime) < Self.window
                else { return nil }
                return (transaction, earlier)
            }
        guard let (first, earlier) = overtaken.first else { return .clear }
        let nc = first.fields(for: chain.target).credentials.first?.digest?.nc ?? ""
        let times = overtaken.count == 1 ? "" : ", as \(overtaken.count - 1) more are"
        let message = "nc=\(nc) came after a higher nc on connection \(earlier.connection), and is refused\(times)"
        let transactions = [earlier] + overtaken.map(\.0)
        return .found([page.finding(message, at: .request(first), in: transactions, confidence: .likely)])
    }
}
