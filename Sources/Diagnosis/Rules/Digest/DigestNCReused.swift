import AuthScanSchemes
import AuthScanSessions

struct DigestNCReused: Rule {
    let page = RulePage(
        id: "digest-nc-reused",
        severity: .error,
        title: "Same nonce with the same nc twice",
        what: "A Digest answer repeats nonce and nc of an earlier, accepted one, and is refused.",
        why: """
            nc counts the requests that a client sends with one nonce, so that a server can tell a repeated request from \
            a recorded one. A server that counts along takes the second answer for a replay.
            """,
        fix: [
            .client(
                """
                Count per nonce: 00000001, 00000002 and so on; never keep an Authorization header, and let one URLSession \
                do the Digest of all requests.
                """
            ),
            .server("Accept a window of counts where clients open several connections."),
        ],
        verify: "No two requests carry the same nonce and nc.",
        lookAlikes: [
            "The repetition of a request whose connection was lost before the answer.",
            "A server that does not look at nc: the repetition is accepted.",
        ],
        supersedes: ["digest-credential-rejected", "digest-stale-missing"],
        sources: ["RFC 7616 §3.4", "RFC 7616 §5.5"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            > ↓GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000001, cnonce="d", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
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
            < 200
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000001, cnonce="d", response="ffeeddccbbaa99887766554433221100"
            < 200
            > GET /mail
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/mail", qop=auth, nc=00000001, cnonce="e", response="0f1e2d3c4b5a69788796a5b4c3d2e1f0"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            reset by server
            connection 2
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        // Where the nonce was never accepted, whatever made the server refuse its first answer is the reason.
        let refused = chain.refusedDigestAnswers { $0.isSuperset(of: [.countReused, .usedNonce]) }
        return chain.outcome(of: refused, as: page, confidence: .likely) { exchange in
            let answer = exchange.lastLeg.credentials.digest
            return """
                nc=\(answer?.nc ?? "") was sent before with the nonce \((answer?.nonce ?? "").excerptInQuotes); the \
                repetition is refused
                """
        }
    }
}
