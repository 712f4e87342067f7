import AuthScanSessions
import AuthScanWire

struct CookieSameSiteOrThirdParty: Rule {
    let page = RulePage(
        id: "cookie-samesite-or-third-party",
        severity: .error,
        step: .continue,
        title: "The cookie is withheld from requests of another site's page",
        what: """
            A login sets a cookie; requests that a page of another site makes, as Origin or Referer tells, never carry it and \
            are turned away.
            """,
        why: """
            Browsers and web views send a cookie from another site's page only where it says SameSite=None and Secure, and \
            WebKit blocks third-party cookies even then. To the API the app behind capacitor://localhost, or in an iframe, \
            is a stranger.
            """,
        fix: [
            .server(
                """
                Serve page and API under one registrable domain, or log in with a token in Authorization instead of a \
                cookie; SameSite=None; Secure helps where third-party cookies are allowed.
                """
            ),
            .client(
                """
                Capacitor: set server.hostname to a host of the API's site. In a page, make the request with credentials, \
                and ask for access with the Storage Access API.
                """
            ),
        ],
        verify: "The requests after the login carry the cookie by name.",
        lookAlikes: ["Requests of the same site, or cross-site ones that need no cookie and are served."],
        supersedes: [
            "session-cookie-not-returned", "authorization-only-on-first-request", "challenge-unanswered",
            "login-redirect-instead-of-401",
        ],
        explains: ["http-401-no-challenge"],
        sources: ["RFC 6265bis §5.2, §5.6.7 (SameSite)", "WebKit: Tracking Prevention"],
        triggering: [
            """
            connection 1
            > POST /auth/login
              Origin: capacitor://localhost
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/; HttpOnly
            > GET /api/me
              Origin: capacitor://localhost
            < ↓401
            """,
            """
            connection 1
            > POST /auth/login
              Referer: https://portal.example/
              body 40
            < 302
              Location: /home
              Set-Cookie: sid=8f2a; Path=/; SameSite=Lax
            > GET /home
              Referer: https://portal.example/
            < ↓302
              Location: http://intranet.example/login
            """,
        ],
        notTriggering: [
            """
            # The same site.
            connection 1
            > POST /auth/login
              Host: api.nordwind.example
              Origin: http://app.nordwind.example
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/
            > GET /api/me
              Host: api.nordwind.example
              Origin: http://app.nordwind.example
            < 401
            """,
            """
            # The cookie comes along.
            connection 1
            > POST /auth/login
              Origin: https://portal.example
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/; SameSite=None; Secure
            > GET /api/me
              Origin: https://portal.example
              Cookie: sid=8f2a
            < 200
            > GET /api/admin
              Origin: https://portal.example
            < 401
            """,
            """
            # What needs no cookie is served.
            connection 1
            > POST /auth/login
              Origin: https://portal.example
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/
            > GET /fonts/a.css
              Origin: https://portal.example
            < 200
            """,
            """
            # The client's own requests lack it as well: it is no matter of sites.
            connection 1
            > POST /auth/login
              body 40
            < 200
              Set-Cookie: sid=8f2a; Path=/
            > GET /home
            < 401
            > GET /api/me
              Origin: https://portal.example
            < 401
            """,
        ]
    )

    let needs: ChainTraits = [.turnedAway]

    func findings(in chain: Chain) -> Outcome {
        guard let aftermath = chain.aftermath else { return .clear }
        let login = aftermath.login
        for cookie in aftermath.cookies where !cookie.isForeign && !aftermath.isReturned(cookie) {
            let lacking = aftermath.turnedAway.filter { transaction in
                cookie.belongs(toPath: transaction.path, isSecureRequest: transaction.isSecure)
                    && aftermath.isAlive(cookie, at: transaction)
            }
            guard let first = lacking.first, let initiator = first.foreignInitiator,
                lacking.allSatisfy({ $0.foreignInitiator != nil })
            else { continue }
            if let incompleteness = chain.incompleteness(of: [login] + lacking) { return .cannotTell(incompleteness) }
            let sameSite = cookie.sameSite.isEmpty ? "without SameSite" : "with SameSite=\(cookie.sameSite)"
            let message =
                "the login set the cookie \"\(cookie.name)\" \(sameSite); requests that a page of "
                + "\(initiator.excerptInQuotes) makes to \(first.origin.host) lack it, and are turned away with \(first.status ?? 0)"
            return .found([
                page.finding(message, at: .response(first), in: [login] + lacking, confidence: .likely)
            ])
        }
        return .clear
    }
}
