import AuthScanSchemes
import AuthScanSessions

struct DigestCredentialRejected: Rule {
    let page = RulePage(
        id: "digest-credential-rejected",
        severity: .error,
        step: .accept,
        title: "Digest credential refused",
        what: "A Digest answer that fits its challenge in every parameter is refused, without stale=true.",
        why: """
            The response is computed from user, realm and password. Where everything that can be seen fits, what cannot be \
            seen differs: the password, or the realm in which the server keeps its hash.
            """,
        fix: [
            .server("Check the account, and that the password file was made for this realm (htdigest)."),
            .client("Ask the user again instead of repeating the credential."),
        ],
        verify: "The request with the Digest answer is accepted.",
        lookAlikes: [
            "stale=true: the nonce is old, and the client goes on with the new one.",
            "An answer whose uri, realm, nonce or user name does not fit: that, not the password, is the fault.",
        ],
        sources: ["RFC 7616 §3.3", "RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app?page=2
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app?page=2
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b20", uri="/app", qop=auth, nc=00000009, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", stale=true
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedDigest]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.enumerated().filter { index, exchange in
            exchange.scheme.kind == .digest && exchange.outcome == .rejected && exchange.isOffered(.digest)
                && !exchange.isRefusedAsStale && exchange.lastLeg.credentials.problems.isEmpty
                && chain.digestFaults[index].isEmpty && chain.isForwardedIntact(exchange.lastLeg.transaction)
                && !chain.isMadeGood(after: exchange.lastLeg.transaction)
        }.map(\.element)
        guard let first = refused.first else { return .clear }
        let who = chain.space.isProxy ? "the proxy" : "the server"
        let message =
            "\(who) refused the Digest answer of \(first.accountInQuotes), which fits its challenge"
            + chain.secretsClause(of: first)
        let transactions = refused.map(\.lastLeg.transaction)
        return .found([page.finding(message, at: .request(transactions[0]), in: transactions)])
    }
}
