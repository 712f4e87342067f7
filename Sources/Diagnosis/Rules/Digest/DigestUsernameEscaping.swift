import AuthScanSchemes
import AuthScanSessions

struct DigestUsernameEscaping: Rule {
    let page = RulePage(
        id: "digest-username-escaping",
        severity: .error,
        title: "Backslash or quote in user or realm not escaped",
        what: """
            User name or realm of a refused Digest answer hold a backslash before an ordinary character, or a quote that \
            ends the string too early.
            """,
        why: """
            In a quoted-string a backslash makes the next character stand for itself: a server reads "CORP\\alice" as \
            CORPalice. Backslash and quote must be doubled or escaped on the wire, and the hash is made of the name itself.
            """,
        fix: [
            .client(
                "Write \\\\ for a backslash and \\\" for a quote in the field, and hash the name without the escapes."
            ),
            .server("Unescape quoted-strings before hashing."),
        ],
        verify: "Accounts with and without a backslash are accepted alike.",
        lookAlikes: ["A doubled backslash: the right way to send DOMAIN\\user."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 9110 §5.6.4", "RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="CORP\\alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
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
              Authorization: Digest username="CORP\\\\alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        chain.outcome(of: chain.refusedDigestAnswers(with: .escaping), as: page) { exchange in
            let name = exchange.lastLeg.credentials.parameters.first { $0.name.lowercased() == "username" }
            let text = name?.escapedValue ?? name?.value ?? ""
            return """
                in the Digest answer for \(text.excerptInQuotes) a backslash or quote is not escaped, so the server reads \
                \((name?.value ?? "").excerptInQuotes)
                """
        }
    }
}
