import AuthScanSchemes
import AuthScanSessions

struct DigestParameterQuoting: Rule {
    let page = RulePage(
        id: "digest-parameter-quoting",
        severity: .warning,
        step: .accept,
        title: "Digest parameter quoted, or not quoted, against the grammar",
        what: """
            A refused Digest answer has algorithm, qop or nc in quotes, or one of the others without; nothing else in it is \
            wrong as far as can be seen.
            """,
        why: """
            RFC 7616 forbids quotes around algorithm, qop and nc and demands them around the rest. Most servers accept \
            either form; strict ones, in cameras for example, do not.
            """,
        fix: [
            .client("Write qop=auth, nc=00000001 and algorithm=MD5 without quotes, and quote all other parameters."),
            .server("Accept both forms."),
        ],
        verify: "The answer follows the grammar; if it is still refused, the password is the next suspect.",
        lookAlikes: ["A wrong password, which looks the same apart from the quotes."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4", "RFC 7616 §3.5"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop="auth", nc="00000001", cnonce="c", response="00112233445566778899aabbccddeeff"
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
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop="auth", nc="00000001", cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            """,
            """
            connection 1
            > GET /app?page=2
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app?page=2
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop="auth", nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    private static let bare = ["algorithm", "qop", "nc"]
    private static let quoted = ["username", "realm", "nonce", "uri", "response", "cnonce", "opaque"]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedDigestAnswers { $0 == [.quoting] }
        return chain.outcome(of: refused, as: page, confidence: .possible) { exchange in
            let answer = exchange.lastLeg.credentials.digest
            let names =
                Self.bare.filter { answer?.isQuoted($0) == true }.map { "\($0) in quotes" }
                + Self.quoted.filter { answer?.isQuoted($0) == false }.map { "\($0) without quotes" }
            return """
                the answer has \(names.joined(separator: ", ")) and is refused; where the server takes that, the password is \
                wrong
                """
        }
    }
}
