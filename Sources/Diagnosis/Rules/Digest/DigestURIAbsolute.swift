import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct DigestURIAbsolute: Rule {
    let page = RulePage(
        id: "digest-uri-absolute",
        severity: .error,
        title: "Digest uri is an absolute URL on an origin-form request",
        what: "The request line holds a path alone, the Digest uri of the refused answer a whole URL.",
        why: """
            The uri must be the request target as it is sent. A server that compares or hashes the path it was asked for \
            comes to another result; small devices answer 400 or 401.
            """,
        fix: [
            .client(
                """
                Put the path and the query into uri, not URLRequest.url in full, or leave Digest to URLSession \
                (NSURLAuthenticationMethodHTTPDigest).
                """
            )
        ],
        verify: "uri starts with a slash and equals the request target.",
        lookAlikes: ["A request to a forward proxy: there the target is a URL, and so may uri be."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4", "RFC 9112 §3.2.1"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="http://intranet.example/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 400
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET http://intranet.example/app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET http://intranet.example/app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="http://intranet.example/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        chain.outcome(of: chain.refusedDigestAnswers(with: .absoluteURI), as: page) { exchange in
            let uri = exchange.lastLeg.credentials.digest?.uri ?? ""
            let target = exchange.lastLeg.transaction.request?.target ?? ""
            return """
                the Digest uri is the URL \(uri.uriInQuotes) while the request target is \(target.uriInQuotes), and \
                the answer is refused
                """
        }
    }
}
