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

    let needs: ChainTraits = [.formLogin]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy,
            let login = chain.entries.first(where: { $0.transaction.isFormLogin })?.transaction
        else { return .notApplicable }
        let agent = login.userAgentBytes ?? []
        let later = chain.entries.map(\.transaction).filter { transaction in
            transaction.packet > login.packet && transaction.userAgentBytes == agent
        }
        // Mostly nobody is turned away, and no cookie need be looked for.
        let turnedAway = later.filter(\.isTurnedAway)
        guard !turnedAway.isEmpty else { return .clear }
        let cookies = login.setCookies.filter { !$0.isForeign && !$0.isDeletion }
        for cookie in cookies where !later.contains(where: { $0.cookieNames.contains(cookie.name) }) {
            let end = later.first { $0.setCookies.contains { $0.name == cookie.name && $0.isDeletion } }
            let lacking = turnedAway.filter { transaction in
                cookie.belongs(toPath: transaction.path, isSecureRequest: transaction.isSecure)
                    && transaction.startTime.seconds(since: login.endTime) < cookie.lifetime ?? .infinity
                    && transaction.packet <= end?.packet ?? .max && !transaction.isFromElsewhere
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

extension Transaction {
    /// Whether the answer is that of a server which does not know the user: a 401, or the way to the login page.
    fileprivate var isTurnedAway: Bool {
        if status == 401 { return true }
        guard let status, (300..<400).contains(status) else { return false }
        let location = response?.fields.text(of: .location)?.lowercased() ?? ""
        return ["login", "logon", "signin", "sign-in", "auth"].contains { location.contains($0) }
    }

    /// Whether a page of another host made the request, so that the cookie may be withheld as a third party's.
    ///
    /// - Source: RFC 6265bis (SameSite).
    fileprivate var isFromElsewhere: Bool {
        [FieldName.origin, .referer].contains { name in
            guard let text = request?.fields.text(of: name) else { return false }
            let authority = text.firstRange(of: "://").map { text[$0.upperBound...].prefix { $0 != "/" } } ?? ""
            return Origin(scheme: origin.scheme, authority: authority)?.host != origin.host
        }
    }
}
