import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct DigestURIMismatch: Rule {
    let page = RulePage(
        id: "digest-uri-mismatch",
        severity: .error,
        title: "Digest uri differs from the request target",
        what: "The uri of a refused Digest answer is not the target of the request that carries it.",
        why: """
            The uri is part of what is hashed. A server compares it with the request line, as RFC 7616 advises, or hashes \
            the target that it sees: an answer for /a fits neither the request for /a?x=1 nor one that a proxy rewrote.
            """,
        fix: [
            .client(
                """
                Hash the whole request target, with its query and in the very encoding that is sent; URLSession does so \
                when it answers NSURLAuthenticationMethodHTTPDigest itself.
                """
            ),
            .network("Look for a proxy that changes the path or the query behind the client."),
            .server("For old clients that leave the query out, some servers can be told to compare the path alone."),
        ],
        verify: "uri and request target are the same, byte for byte, and the request is accepted.",
        lookAlikes: [
            "A uri without the query that the server accepts: an old habit, and harmless there.",
            "A request through a proxy in absolute-form: uri holds the path and the query alone, rightly.",
        ],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4", "RFC 7616 §3.4.6", "RFC 9112 §3.2"],
        triggering: [
            """
            connection 1
            > GET /app?page=2
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app?page=2
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
            < 200
            > GET /app?page=3
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET http://intranet.example/app?page=2
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET http://intranet.example/app?page=2
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app?page=2", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        // A missing uri is a malformed answer, not another uri.
        let refused = chain.refusedDigestAnswers(with: .uri).filter { $0.lastLeg.credentials.digest?.uri != nil }
        return chain.outcome(of: refused, as: page) { exchange in
            let uri = exchange.lastLeg.credentials.digest?.uri ?? ""
            let target = exchange.lastLeg.transaction.request?.target ?? ""
            let missing = target.hasPrefix(uri + "?") ? " (the query is missing)" : ""
            return """
                the Digest uri \(uri.uriInQuotes) is not the request target \(target.uriInQuotes)\(missing), and the \
                answer is refused
                """
        }
    }
}
