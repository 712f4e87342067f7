import AuthScanSchemes
import AuthScanSessions

struct DigestUsernameDomainPrefixed: Rule {
    let page = RulePage(
        id: "digest-username-domain-prefixed",
        severity: .error,
        step: .accept,
        title: "Digest user name got the realm or domain glued on",
        what: "The user name of a refused Digest answer is DOMAIN\\user, or the realm stands before or behind it.",
        why: """
            The user name is part of what is hashed. Outside Active Directory servers know the bare name alone, so the \
            longer one is an unknown user.
            """,
        fix: [
            .client(
                """
                Leave the domain empty for Digest: URLCredential(user:password:persistence:) with the name that the server \
                knows.
                """
            ),
            .server("Check in which form the names stand in the password file (htdigest)."),
        ],
        verify: "The answer names the user as the server's password file does, and is accepted.",
        lookAlikes: ["Active Directory, which accepts DOMAIN\\user.", "A wrong password."],
        supersedes: ["digest-credential-rejected"],
        sources: ["RFC 7616 §3.4"],
        triggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="corp", nonce="b21", qop="auth"
            > ↓GET /app
              Authorization: Digest username="corp\\\\alice", realm="corp", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="corp", nonce="b22", qop="auth"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="corp", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="CORP\\\\alice", realm="corp", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 200
            > GET /news
              Authorization: Digest username="CORP\\\\bob", realm="corp", nonce="b21", uri="/news", qop=auth, nc=00000002, cnonce="c", response="ffeeddccbbaa99887766554433221100"
            < 401
              WWW-Authenticate: Digest realm="corp", nonce="b22", qop="auth"
            closed by client
            """,
            """
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="corp", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice@mail.example", realm="corp", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", response="00112233445566778899aabbccddeeff"
            < 401
              WWW-Authenticate: Digest realm="corp", nonce="b22", qop="auth"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.digestFault]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.refusedDigestAnswers(with: .domainPrefix)
        // A realm before the name is hardly meant; a mail address may end in it, and any other domain may be wanted.
        let isRealm = refused.contains { exchange in
            let realm = exchange.lastLeg.credentials.digest?.realm?.lowercased() ?? ""
            let user = exchange.user?.lowercased() ?? ""
            return !realm.isEmpty && (user.hasPrefix(realm + "\\") || user.hasPrefix(realm + "/"))
        }
        return chain.outcome(
            of: refused,
            as: page,
            severity: isRealm ? nil : .warning,
            confidence: isRealm ? .likely : .possible
        ) { exchange in
            let what = isRealm ? "the realm" : "a domain"
            return "the Digest user name \((exchange.user ?? "").excerptInQuotes) has \(what) glued on, and is refused"
        }
    }
}
