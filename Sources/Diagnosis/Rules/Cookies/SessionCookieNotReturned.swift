import AuthScanSessions
import AuthScanWire

struct SessionCookieNotReturned: Rule {
    let page = RulePage(
        id: "session-cookie-not-returned",
        severity: .error,
        step: .continue,
        title: "The login's cookie is not sent back",
        what:
            "A login sets a cookie; later requests that must bring it do not, and are sent to the login again or refused.",
        why: """
            After a form login the cookie is the credential. A web view and a URLSession keep separate cookie stores: a \
            login made with the one does not log the other in.
            """,
        fix: [
            .client(
                """
                Put the cookie into the web view's store before loading (WKHTTPCookieStore.setCookie), use one \
                WKWebsiteDataStore for all views, and leave httpShouldSetCookies on.
                """
            ),
            .server("Set the cookie for the host and path that later requests use, without Secure on plain http."),
        ],
        verify: "The request after the login carries the cookie by name.",
        lookAlikes: [
            "A cookie that may not be sent: Secure over http, or a foreign Domain.",
            "A cookie that was deleted on logout, or of another process on the same machine.",
        ],
        supersedes: [
            "authorization-only-on-first-request", "challenge-unanswered", "login-redirect-instead-of-401",
        ],
        sources: ["RFC 6265 §5.4", "Apple: WKHTTPCookieStore"],
        triggering: [
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; HttpOnly
            > GET /home
            < ↓302
              Location: http://intranet.example/login
            > GET /login
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; HttpOnly
            > GET /home
              Cookie: sid=8f2a
            < 200
            """,
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/; Secure
            > GET /home
            < 302
              Location: http://intranet.example/login
            """,
            """
            connection 1
            > POST /login
              body 40
            < 302
              Location: http://intranet.example/home
              Set-Cookie: sid=8f2a; Path=/
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
                    && aftermath.isAlive(cookie, at: transaction) && !transaction.isFromElsewhere
            }
            guard let first = lacking.first else { continue }
            if let incompleteness = chain.incompleteness(of: [login] + lacking) { return .cannotTell(incompleteness) }
            let message =
                "the login in packet \(login.responsePacket ?? 0) set the cookie \"\(cookie.name)\"; "
                + "the request for \(first.path) lacks it and is turned away with \(first.status ?? 0)"
            return .found([page.finding(message, at: .response(first), in: [login] + lacking)])
        }
        return .clear
    }
}
