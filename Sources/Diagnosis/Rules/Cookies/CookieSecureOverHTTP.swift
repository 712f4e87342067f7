import AuthScanSessions
import AuthScanWire

struct CookieSecureOverHTTP: Rule {
    let page = RulePage(
        id: "cookie-secure-over-http",
        severity: .error,
        step: .continue,
        title: "The login's cookie is Secure, but the session is plain http",
        what: "A login over http sets its cookie with Secure; later requests over http lack it and are turned away.",
        why: """
            A client sends a Secure cookie over https only, and many drop one that came over http. The login succeeds, and \
            the next request is a stranger's again.
            """,
        fix: [
            .server("Serve the login and what follows it over https from end to end."),
            .network("Tell the server the scheme the client used (X-Forwarded-Proto), and keep clients on https."),
        ],
        verify: "The request after the login goes over https and carries the cookie by name.",
        lookAlikes: [
            "A capture behind a TLS terminator (X-Forwarded-Proto: https): the client's side is https.",
            "A cookie of the same login without Secure that comes back: the session lives in that one.",
        ],
        supersedes: [
            "session-cookie-not-returned", "authorization-only-on-first-request", "challenge-unanswered",
            "login-redirect-instead-of-401",
        ],
        sources: ["RFC 6265 §4.1.2.5", "RFC 6265 §5.4", "RFC 6265bis (Secure from an insecure origin)"],
        triggering: [
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Secure
            > GET /home
            < ↓302
              Location: http://intranet.example/login
            """
        ],
        notTriggering: [
            """
            connection 1
            > POST /login
              X-Forwarded-Proto: https
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Secure
            > GET /home
              X-Forwarded-Proto: https
            < 302
              Location: http://intranet.example/login
            """,
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Secure
            > GET /home
              Cookie: sid=8f2a
            < 302
              Location: http://intranet.example/login
            """,
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Secure
            > GET /home
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.turnedAway]

    func findings(in chain: Chain) -> Outcome {
        guard let aftermath = chain.aftermath, !aftermath.login.isSecure, !aftermath.login.isForwarded else {
            return .clear
        }
        let login = aftermath.login
        let cookies = aftermath.cookies.filter { !$0.isForeign }
        // Where one of them comes back, the session may live in that one; where one may come back over http and does not, Secure is
        // not what keeps the session away.
        guard let cookie = cookies.first, cookies.allSatisfy({ $0.isSecure && !aftermath.isReturned($0) }) else {
            return .clear
        }
        let lacking = aftermath.turnedAway.filter { transaction in
            !transaction.isSecure && !transaction.isForwarded && !transaction.isFromElsewhere
                && cookie.belongs(toPath: transaction.path, isSecureRequest: true)
                && aftermath.isAlive(cookie, at: transaction)
        }
        guard let first = lacking.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: [login] + lacking) { return .cannotTell(incompleteness) }
        let message =
            "the login in packet \(login.responsePacket ?? 0) set the cookie \"\(cookie.name)\" with Secure over http; "
            + "the request for \(first.path) lacks it and is turned away with \(first.status ?? 0)"
        return .found([page.finding(message, at: .response(first), in: [login] + lacking)])
    }
}

extension Transaction {
    /// Whether an intermediary says that the client's side of it is https.
    fileprivate var isForwarded: Bool {
        requestTexts(of: .xForwardedProto).first?.lowercased() == "https"
    }
}
