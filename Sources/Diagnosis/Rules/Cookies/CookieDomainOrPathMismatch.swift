import AuthScanSessions
import AuthScanWire

struct CookieDomainOrPathMismatch: Rule {
    let page = RulePage(
        id: "cookie-domain-or-path-mismatch",
        severity: .error,
        step: .continue,
        title: "The login's cookie is made for another host or path",
        what: """
            A login sets its cookie with a Domain that its host does not belong to, or with a Path that not even the login lies \
            under; later requests lack it and are turned away.
            """,
        why: """
            A client drops a cookie for a foreign domain, and sends one for another path nowhere. An application behind a \
            reverse proxy often names the host and path that it has itself, not those that the client sees.
            """,
        fix: [
            .network("Let the proxy rewrite them: proxy_cookie_domain and proxy_cookie_path (nginx), or their like."),
            .server("Leave Domain out, and state the Path that clients see."),
        ],
        verify: "The request after the login carries the cookie by name.",
        lookAlikes: ["A further cookie for another host, while the login's own comes back: harmless."],
        supersedes: [
            "session-cookie-not-returned", "authorization-only-on-first-request", "challenge-unanswered",
            "login-redirect-instead-of-401",
        ],
        explains: ["http-401-no-challenge"],
        sources: ["RFC 6265 §5.1.4", "RFC 6265 §5.3"],
        triggering: [
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Domain=backend.example
            > GET /home
            < ↓302
              Location: http://intranet.example/login
            """,
            """
            connection 1
            > POST /portal/login
              body 40
            < 200
              Set-Cookie: JSESSIONID=8f2a; Path=/app; HttpOnly
            > GET /portal/home
            < ↓401
            """,
        ],
        notTriggering: [
            """
            # The session's own cookie comes back.
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/
              Set-Cookie: ads=1; Domain=ads.example
            > GET /home
              Cookie: sid=8f2a
            < 302
              Location: http://intranet.example/login?reauthenticate
            """,
            """
            # A parent domain is right.
            connection 1
            > POST /login
              Host: app.intranet.example
              body 40
            < 302
              Location: http://app.intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Domain=.intranet.example
            > GET /home
              Host: app.intranet.example
            < 302
              Location: http://app.intranet.example/login
            """,
            """
            # Another application of the host, with a login of its own.
            connection 1
            > POST /app/login
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/app
            > GET /wiki
            < 302
              Location: http://intranet.example/wiki/login
            """,
            """
            # Nobody is turned away.
            connection 1
            > POST /login
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/; Domain=backend.example
            > GET /home
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.turnedAway]

    func findings(in chain: Chain) -> Outcome {
        guard let aftermath = chain.aftermath else { return .clear }
        let login = aftermath.login
        let cookies = aftermath.cookies
        // A cookie that fits may be the session's, whether or not it comes back.
        guard let cookie = cookies.first,
            cookies.allSatisfy({ isMisplaced($0, by: login) && !aftermath.isReturned($0) })
        else { return .clear }
        let lacking = aftermath.turnedAway.filter { transaction in
            !transaction.isFromElsewhere && aftermath.isAlive(cookie, at: transaction)
                && (cookie.isForeign || !cookie.belongs(toPath: transaction.path, isSecureRequest: true))
        }
        guard let first = lacking.first else { return .clear }
        if let incompleteness = chain.incompleteness(of: [login] + lacking) { return .cannotTell(incompleteness) }
        let place = cookie.isForeign ? "Domain \(cookie.domain.excerptInQuotes)" : "Path \(cookie.path.uriInQuotes)"
        let message =
            "the login at \(login.origin.host)\(login.path) set the cookie \"\(cookie.name)\" for \(place); "
            + "the request for \(first.path) lacks it and is turned away with \(first.status ?? 0)"
        return .found([
            page.finding(
                message,
                at: .response(first),
                in: [login] + lacking,
                confidence: cookie.isForeign ? .certain : .likely
            )
        ])
    }

    /// Whether the client must drop a cookie that a login set, or could not even send it to the login.
    private func isMisplaced(_ cookie: CapturedCookie, by login: Transaction) -> Bool {
        cookie.isForeign || !cookie.belongs(toPath: login.path, isSecureRequest: true)
    }
}
