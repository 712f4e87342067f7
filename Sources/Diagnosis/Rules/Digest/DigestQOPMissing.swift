import AuthScanSchemes
import AuthScanSessions

struct DigestQOPMissing: Rule {
    let page = RulePage(
        id: "digest-qop-missing",
        severity: .error,
        title: "Client leaves out qop, cnonce or nc although qop was offered",
        what: "The challenge offers qop; the refused answer lacks qop, or the cnonce and nc that belong to it.",
        why: """
            An answer without qop is in the form of RFC 2069, whose hash is made otherwise. Servers that follow RFC 7616 \
            refuse it, as they do an answer with qop whose cnonce or nc, parts of the hash, they do not know.
            """,
        fix: [
            .client("Send qop, cnonce and nc where the challenge has qop, or leave Digest to URLSession."),
            .server("Accept the old form only as long as such clients are needed."),
        ],
        verify: "The answer carries qop, cnonce and nc.",
        lookAlikes: ["A server that takes the old form: then nothing fails."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4", "RFC 2617 §3.2.2"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, response="00112233445566778899aabbccddeeff"
            < 400
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", response="00112233445566778899aabbccddeeff"
            < 200
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedDigestAnswers(with: .qopMissing)
        if let incompleteness = chain.incompleteness(of: refused.map(\.lastLeg.transaction)) {
            return .cannotTell(incompleteness)
        }
        return chain.outcome(of: refused, as: page) { exchange in
            let answer = exchange.lastLeg.credentials.digest
            let missing = [("qop", answer?.qop), ("cnonce", answer?.cnonce), ("nc", answer?.nc)]
                .compactMap { $0.1 == nil ? $0.0 : nil }
            return "the answer lacks \(missing.joined(separator: ", ")) although qop was offered, and is refused"
        }
    }
}
