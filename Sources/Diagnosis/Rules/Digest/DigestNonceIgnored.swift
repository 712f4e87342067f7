import AuthScanSchemes
import AuthScanSessions

struct DigestNonceIgnored: Rule {
    let page = RulePage(
        id: "digest-nonce-ignored",
        severity: .error,
        title: "Client keeps the old nonce after a new challenge",
        what: "A nonce was refused and another one offered; the client goes on answering with the refused one.",
        why: """
            Nonces expire. The response must be computed anew with the nonce of the latest challenge; a client that keeps \
            its Authorization header, or its security context, is refused for ever after.
            """,
        fix: [
            .client(
                """
                Compute the answer from the latest challenge. Never keep an Authorization header; leave Digest to \
                URLSession (NSURLAuthenticationMethodHTTPDigest).
                """
            ),
            .server("Say stale=true where only the nonce is old, so that clients know that the password is right."),
        ],
        verify: "The request after a 401 carries the nonce of that 401.",
        lookAlikes: [
            "Requests that were under way when the new nonce came.",
            "A new nonce that came in Authentication-Info (nextnonce), without a 401.",
        ],
        supersedes: ["digest-credential-rejected", "digest-nc-reused", "digest-stale-missing"],
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
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", stale=true
            > ↓GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000003, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b23", qop="auth", stale=true
            closed by client
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
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", stale=true
            connection 2
            > GET /mail
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/mail", qop=auth, nc=00000003, cnonce="c", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b23", qop="auth", stale=true
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        // Here stale=true is no excuse: it says that the nonce is the fault.
        let ignoring = chain.exchanges.indices.filter { chain.digestFaults[$0].contains(.ignoredNonce) }
            .map { chain.exchanges[$0] }
        guard !ignoring.contains(where: { $0.outcome == .accepted }) else { return .clear }
        return chain.outcome(of: ignoring.filter { $0.outcome == .rejected }, as: page) { exchange in
            let nonce = exchange.lastLeg.credentials.digest?.nonce ?? ""
            return "the client still uses the nonce \(nonce.excerptInQuotes), which was refused in favour of a new one"
        }
    }
}
