import AuthScanSchemes
import AuthScanSessions

struct DigestAlgorithmUnsupported: Rule {
    let page = RulePage(
        id: "digest-algorithm-unsupported",
        severity: .error,
        title: "Client cannot do the offered Digest algorithm",
        what: """
            The client answers with another algorithm than those offered and is refused, or it does not answer an offer \
            without MD5 although it answers Digest with MD5 elsewhere.
            """,
        why: """
            RFC 7616 brought SHA-256 and SHA-512/256; many clients know MD5 alone. Some stay silent, some send an MD5 \
            response to a SHA-256 challenge, which no server accepts. On the other hand FIPS machines refuse MD5.
            """,
        fix: [
            .server("Offer MD5 in a challenge of its own, behind the stronger ones, or use Basic over TLS."),
            .client("Use a client that knows the offered algorithm."),
        ],
        verify: "The answer names an algorithm that was offered, and its response is as long as that hash.",
        lookAlikes: ["A client that takes Basic where both are offered.", "A dialog that the user cancels."],
        supersedes: ["digest-credential-rejected"],
        explains: ["challenge-unanswered", "no-common-scheme"],
        sources: ["RFC 7616 §3.3", "RFC 7616 §3.7"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", algorithm=SHA-256
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", algorithm=SHA-256
            closed by client
            """,
            """
            connection 1 to 198.51.100.30:80
            > GET /old
            < 401
              WWW-Authenticate: Digest realm="old", nonce="b21", qop="auth"
            > GET /old
              Authorization: Digest username="alice", realm="old", nonce="b21", uri="/old", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            closed by client
            connection 2
            > GET /app
              Host: grid.example
            < ↓401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", algorithm=SHA-256
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", algorithm=SHA-256
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", algorithm=SHA-256
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", algorithm=MD5
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", algorithm=MD5, qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", algorithm=SHA-256
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", algorithm=MD5
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.refusal]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedDigestAnswers(with: .algorithm)
        guard refused.isEmpty else {
            return chain.outcome(of: refused, as: page) { exchange in
                let algorithm = exchange.lastLeg.credentials.digest?.effectiveAlgorithm.rawValue ?? ""
                return
                    "the client answers with \(algorithm), which was not offered or does not fit the response's length"
            }
        }
        return unanswered(in: chain)
    }

    private func unanswered(in chain: Chain) -> Outcome {
        guard chain.traits.contains(.unanswered) else { return .clear }
        let silent = chain.unansweredChallenges.filter {
            !chain.hasCredentials(after: $0.transaction) && !offersAnythingButNewDigest($0.transaction, chain.target)
        }.map(\.transaction)
        guard let first = silent.first, chain.context.accounts.answersDigestWithMD5(chain.session.client) else {
            return .clear
        }
        if let incompleteness = chain.incompleteness(of: silent) { return .cannotTell(incompleteness) }
        let names = first.fields(for: chain.target).challenges.compactMap { $0.parameters["algorithm"] }
        let message = """
            Digest is offered with \(names.joined(separator: " and ")) alone, and the client, which answers with MD5 \
            elsewhere, stays silent
            """
        return .found([page.finding(message, at: .response(first), in: silent, confidence: .likely)])
    }

    /// Whether a client of RFC 2617 finds something to answer.
    private func offersAnythingButNewDigest(_ transaction: Transaction, _ target: AuthenticationTarget) -> Bool {
        transaction.fields(for: target).challenges.contains { challenge in
            guard case .digest(let offer) = challenge.content, let hash = offer.effectiveAlgorithm.hash else {
                return true
            }
            return hash == .md5
        }
    }
}
