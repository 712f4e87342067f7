import AuthScanSchemes
import AuthScanSessions

struct DigestRealmAltered: Rule {
    let page = RulePage(
        id: "digest-realm-altered",
        severity: .error,
        title: "Realm or opaque of the answer differs from the challenge",
        what: "A refused Digest answer repeats the nonce of a challenge, but not its realm or its opaque.",
        why: """
            The realm is part of what is hashed, and opaque must come back unchanged. Clients that split the field at each \
            comma, or change the charset, compute over another realm than the server.
            """,
        fix: [
            .client("Parse quoted-strings as such, and send realm and opaque back byte for byte."),
            .server("Until clients are mended, use a realm without commas, quotes and characters beyond ASCII."),
        ],
        verify: "realm and opaque of challenge and answer are the same.",
        lookAlikes: ["Challenges of several realms: the answer belongs to the one whose nonce it carries."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.3", "RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="House 4, North", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="House 4; North", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="House 4, North", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth", opaque="77"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth", opaque="78"
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="one", nonce="b20", qop="auth"
              WWW-Authenticate: Digest realm="two", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="two", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="one", nonce="b22", qop="auth"
              WWW-Authenticate: Digest realm="two", nonce="b23", qop="auth"
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        let byRealm = chain.refusedDigestAnswers(with: .realm)
        guard byRealm.isEmpty else {
            return chain.outcome(of: byRealm, as: page) { exchange in
                let answer = exchange.lastLeg.credentials.digest
                let realm = offeredRealm(for: answer?.nonce, in: chain) ?? ""
                return """
                    the client answers for the realm \((answer?.realm ?? "").excerptInQuotes), the challenge with its nonce \
                    names \(realm.excerptInQuotes)
                    """
            }
        }
        let byOpaque = chain.refusedDigestAnswers(with: .opaque)
        if let incompleteness = chain.incompleteness(of: byOpaque.map(\.lastLeg.transaction)) {
            return .cannotTell(incompleteness)
        }
        return chain.outcome(of: byOpaque, as: page) { exchange in
            let isMissing = exchange.lastLeg.credentials.digest?.opaque == nil
            return "the answer \(isMissing ? "lacks the opaque" : "has another opaque than that") of its challenge"
        }
    }

    private func offeredRealm(for nonce: String?, in chain: Chain) -> String? {
        chain.entries.lazy.flatMap { $0.transaction.fields(for: chain.target).challenges }
            .first { $0.scheme.kind == .digest && $0.parameters["nonce"] == nonce }?.realm
    }
}
