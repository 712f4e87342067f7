import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct DigestURIRewritten: Rule {
    let page = RulePage(
        id: "digest-uri-rewritten",
        severity: .error,
        step: .accept,
        title: "Digest uri fits here but not at the server",
        what: """
            A Digest answer that fits its request in everything is answered 400, or a proxy in the capture passes it on with \
            another request target.
            """,
        why: """
            A server that finds another uri in the answer than in its request line answers 400, where a wrong password gets \
            401. The client's request is in order, so a proxy in between has changed the path.
            """,
        fix: [
            .network("Do not rewrite the path in front of a server that does Digest, or authenticate at the proxy."),
            .server("Look at the request line in the server's log: mod_auth_digest logs the uri mismatch."),
        ],
        verify: "The request target is the same on both sides of the proxy.",
        lookAlikes: ["400 for another reason: a Host that is not known, or fields that are too large."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4.6"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 400
            closed by client
            """
        ],
        notTriggering: [
            """
            # The same nonce was just accepted: the request is what the server dislikes.
            connection 1
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            > GET /app?n
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app?n", qop=auth, nc=00000002, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 400
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
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app?page=2
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app?page=2
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 400
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedDigest]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.enumerated().filter { index, exchange in
            exchange.scheme.kind == .digest && exchange.outcome == .rejected && chain.digestFaults[index].isEmpty
                && exchange.lastLeg.credentials.problems.isEmpty && !exchange.isRefusedAsStale
        }.map(\.element)
        let rewritten = refused.filter { rewrittenTarget(of: $0, in: chain) != nil }
        guard rewritten.isEmpty else {
            return chain.outcome(of: rewritten, as: page) { exchange in
                let uri = exchange.lastLeg.credentials.digest?.uri ?? ""
                let target = rewrittenTarget(of: exchange, in: chain) ?? ""
                return """
                    a proxy passes the request on for \(target.uriInQuotes), while the Digest uri is \
                    \(uri.uriInQuotes)
                    """
            }
        }
        let bad = refused.filter { $0.lastLeg.transaction.status == 400 }
        return chain.outcome(of: bad, as: page, confidence: .likely) { exchange in
            """
            a Digest answer that fits its request is answered 400 instead of 401: either a proxy rewrites \
            \((exchange.lastLeg.transaction.request?.target ?? "").uriInQuotes), or the server dislikes something else
            """
        }
    }

    /// The target that a proxy made of a request, where the capture shows it and it is another one.
    private func rewrittenTarget(of exchange: AuthenticationExchange, in chain: Chain) -> String? {
        let transaction = exchange.lastLeg.transaction
        guard exchange.target == .origin, !chain.isForwardedIntact(transaction),
            let copy = chain.context.forwardedCopy(of: transaction, from: chain.session.client)?.request,
            copy.fields.contains(.authorization), copy.target != exchange.lastLeg.credentials.digest?.uri
        else { return nil }
        return copy.target
    }
}
