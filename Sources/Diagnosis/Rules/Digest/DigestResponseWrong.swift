import AuthScanSchemes
import AuthScanSessions

struct DigestResponseWrong: Rule {
    let page = RulePage(
        id: "digest-response-wrong",
        severity: .error,
        step: .accept,
        title: "Digest response does not verify",
        what: """
            A Digest answer is refused, and its response is not what the given password makes of the answer's own \
            parameters.
            """,
        why: """
            The server computes the response anew from the hash of user, realm and password that it keeps, and from the \
            parameters of the answer. Where both come to different ends, the answer is refused, however well it looks.
            """,
        fix: [
            .client("Where the response fits another computation, compute it as the message says it should be."),
            .client("Where it fits none, the client has another password than the given one: ask the user again."),
            .server("Make sure that the given password is the one the server's hash was made of."),
        ],
        verify: "With the same --password-file the report says of the Digest response that it is right.",
        lookAlikes: [
            "Without --password-file nothing is claimed: see digest-credential-rejected.",
            "A response that verifies and is refused: the account, the realm, or something on the way is at fault.",
            "stale=true: the nonce is old, and the response was not looked at.",
        ],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4.1", "RFC 7616 §3.4.2", "RFC 7616 §3.4.3"],
        triggering: [
            """
            # The client has another password.
            password of alice Spring-1
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            # The right password, computed as for MD5 although MD5-sess was agreed on.
            password of alice Spring-1
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", algorithm=MD5-sess
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", algorithm=MD5-sess, response="5614a22beeb1eb1990d545d642887633"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", algorithm=MD5-sess
            closed by client
            """,
        ],
        notTriggering: [
            """
            # The right password and the right response: the server does not know the account.
            password of alice Spring-1
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="5614a22beeb1eb1990d545d642887633"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            # No password is given for alice.
            password of bob Spring-1
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
            # The server took the answer: it is the given password that is wrong.
            password of alice Spring-1
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            closed by client
            """,
            """
            # The nonce was old, and the response was not looked at.
            password of alice Spring-1
            connection 1
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b20", uri="/app", qop=auth, nc=00000009, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", stale=true
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.rejectedDigest]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.context.proofs.isEmpty else { return .notApplicable }
        let wrong = chain.exchanges.filter { exchange in
            exchange.outcome == .rejected && !exchange.isRefusedAsStale
                && chain.isForwardedIntact(exchange.lastLeg.transaction)
                && fault(chain.verdict(on: .digestResponse, of: exchange)) != nil
        }
        return chain.outcome(of: wrong, as: page) { exchange in
            let fault = fault(chain.verdict(on: .digestResponse, of: exchange)) ?? ""
            return "the refused response of \(exchange.accountInQuotes) \(fault)"
        }
    }

    /// What is wrong with a response, as the end of a sentence; `nil` where nothing is, or it cannot be told.
    private func fault(_ verdict: Proof.Verdict?) -> String? {
        switch verdict {
        case .wrong: "does not verify with any given password"
        case .rightForOther(let name): "verifies with the given password, but for another computation: \(name)"
        case .right, .rightOnOtherChallenge, .cannotTell, nil: nil
        }
    }
}
