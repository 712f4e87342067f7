import AuthScanSchemes
import AuthScanSessions

struct DigestNCStartOrReset: Rule {
    let page = RulePage(
        id: "digest-nc-start-or-reset",
        severity: .error,
        title: "nc does not start at 00000001 for a new nonce",
        what:
            "The first refused answer with a new nonce has an nc other than 00000001, or one that is not eight digits.",
        why: """
            nc is the number of requests sent with this nonce, so the first one is 1. A counter that starts at 0, or one \
            counter for all nonces, does not fit the server's own count, and the response is hashed over it.
            """,
        fix: [
            .client("Start at 00000001 with each nonce, and count each nonce by itself."),
            .client("Write nc as eight hexadecimal digits, without quotes."),
        ],
        verify: "The first answer to each challenge has nc=00000001.",
        lookAlikes: ["A capture that begins in the middle of a session: the earlier counts lie before it."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000000, cnonce="c", response="00112233445566778899aabbccddeeff"
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
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=1, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 400
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1 without start
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b20", uri="/app", qop=auth, nc=0000002a, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            closed by client
            """,
            """
            connection 1
            connection 2
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            connection 2
            > GET /news
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="00112233445566778899aabbccddeeff"
            connection 1
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            connection 2
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b23", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedDigestAnswers { !$0.isDisjoint(with: [.countStart, .countForm]) }
        let evident = refused.filter { ($0.lastLeg.credentials.digest?.nonceCount ?? 0) == 0 || isMalformed($0) }
        guard evident.isEmpty else { return chain.outcome(of: evident, as: page, message: message) }
        guard !refused.isEmpty else { return .clear }
        // The first counts may be among what the capture lacks.
        if let incompleteness = chain.incompleteness(of: chain.entries.lazy.map(\.transaction)) {
            return .cannotTell(incompleteness)
        }
        return chain.outcome(of: refused, as: page, confidence: .likely, message: message)
    }

    private func isMalformed(_ exchange: AuthenticationExchange) -> Bool {
        exchange.lastLeg.credentials.digest?.nc?.utf8.count != 8
    }

    private func message(_ exchange: AuthenticationExchange) -> String {
        let answer = exchange.lastLeg.credentials.digest
        let nc = answer?.nc ?? ""
        let fault =
            if isMalformed(exchange) || answer?.nonceCount == nil {
                "nc=\(nc) is not eight hexadecimal digits"
            } else if answer?.nonceCount == 0 {
                "the counter of the nonce starts at nc=00000000 instead of 00000001"
            } else {
                "the first answer with the nonce has nc=\(nc), as if one counter served several nonces"
            }
        return fault + ", and the answer is refused"
    }
}
