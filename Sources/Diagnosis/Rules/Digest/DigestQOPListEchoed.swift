import AuthScanSchemes
import AuthScanSessions

struct DigestQOPListEchoed: Rule {
    let page = RulePage(
        id: "digest-qop-list-echoed",
        severity: .error,
        title: "Client uses the offered qop list as its qop",
        what:
            "The qop of a refused Digest answer is a list, as in the challenge, instead of the one value that was chosen.",
        why: """
            The challenge lists what the server can do; the answer names what the client does, and that one word is part of \
            what is hashed. A list is no value that a server knows.
            """,
        fix: [
            .client("Choose one of the offered values, usually auth, send it as qop, and hash that."),
            .server("Until clients are mended, offer qop=\"auth\" alone."),
        ],
        verify: "The answer says qop=auth.",
        lookAlikes: ["A challenge that lists several values: that is its purpose."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.3", "RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth,auth-int"
            > ↓GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop="auth,auth-int", nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth,auth-int"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth,auth-int"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth,auth-int"
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        chain.outcome(of: chain.refusedDigestAnswers(with: .qopList), as: page) { exchange in
            let qop = exchange.lastLeg.credentials.digest?.qop ?? ""
            return "the client answers with the list qop=\(qop.excerptInQuotes), and is refused"
        }
    }
}
