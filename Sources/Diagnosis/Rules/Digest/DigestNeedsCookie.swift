import AuthScanSchemes
import AuthScanSessions

struct DigestNeedsCookie: Rule {
    let page = RulePage(
        id: "digest-needs-cookie",
        severity: .error,
        title: "Digest challenge came with a cookie that the client does not return",
        what: """
            The 401 with the nonce sets a cookie for the same path; the answer comes without it and is refused with a new \
            nonce, though all of its parameters fit.
            """,
        why: """
            Some frameworks keep the nonce in the visitor's session, and find the session by the cookie. Without it the \
            server has never seen the nonce, and offers another one each time.
            """,
        fix: [
            .server("Use nonces that verify themselves instead of ones kept in a session."),
            .client(
                """
                Return cookies: httpShouldSetCookies and a httpCookieStorage in the URLSessionConfiguration, or a cookie \
                jar for command line tools.
                """
            ),
        ],
        verify: "The answer carries the cookie of the 401 and is accepted.",
        lookAlikes: [
            "A wrong password at a server whose load balancer sets cookies.",
            "A cookie that must not be returned: Secure, another path or domain.",
        ],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 6265 §5.4", "RFC 7616 §3.3"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
              Set-Cookie: session=eJw; Path=/
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
              Set-Cookie: session=aXy; Path=/
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
              Set-Cookie: session=eJw; Path=/
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
              Cookie: session=eJw
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
              Set-Cookie: balancer=web3; Path=/
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
              Set-Cookie: session=eJw; Path=/; Secure
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
        // The quotes are forgiven by most servers, so they are no better explanation.
        let refused = chain.refusedDigestAnswers { $0.subtracting([.quoting]) == [.cookie] }.filter(isNonceUnknown)
        if let incompleteness = chain.incompleteness(of: refused.map(\.lastLeg.transaction)) {
            return .cannotTell(incompleteness)
        }
        return chain.outcome(of: refused, as: page, confidence: .likely) { _ in
            """
            the answer fits its challenge but comes without the cookie that came with it, and is refused; where the server \
            does not need the cookie, the password is wrong
            """
        }
    }

    /// Whether the refusal offers other nonces alone: a server that repeats the nonce has found it.
    private func isNonceUnknown(_ exchange: AuthenticationExchange) -> Bool {
        let nonce = exchange.lastLeg.credentials.digest?.nonce
        let offered = exchange.lastLeg.transaction.fields(for: exchange.target).challenges
            .filter { $0.scheme.kind == .digest }
        return !offered.isEmpty && !offered.contains { $0.parameters["nonce"] == nonce }
    }
}
