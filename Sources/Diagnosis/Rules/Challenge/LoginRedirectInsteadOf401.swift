import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct LoginRedirectInsteadOf401: Rule {
    let page = RulePage(
        id: "login-redirect-instead-of-401",
        severity: .warning,
        step: .continue,
        title: "A request for data is redirected to a login page",
        what: """
            A request that asks for data (JSON, or by XMLHttpRequest) is redirected to a login address, and the client \
            gets that page with status 200 in the data's place.
            """,
        why: """
            A redirect to a login page is for a person. A client that asks for data follows it without notice, takes \
            the page's 200 for success, and fails at its content: a parse error, a blank view, a loop.
            """,
        fix: [
            .server("Answer 401 on paths that serve data, and redirect only what a person navigates to."),
            .client(
                """
                Check the URL and MIME type of the URLResponse; run the web login in ASWebAuthenticationSession or a \
                WKWebView, then repeat the request.
                """
            ),
        ],
        verify: "Without a session the request for data is answered with 401.",
        lookAlikes: [
            "A navigation (Accept: text/html) that is sent to the login once: ordinary single sign-on.",
            "A silent renewal, which comes back from the login address with another redirect.",
            "The login or logout itself.",
        ],
        sources: ["RFC 9110 §15.4", "RFC 9110 §15.5.2"],
        triggering: [
            """
            connection 1
            > GET /api/items
              Accept: application/json
              Cookie: sid=8f2a
            < ↓302
              Location: http://intranet.example/login?next=%2Fapi%2Fitems
            > GET /login?next=%2Fapi%2Fitems
              Accept: application/json
            < 200
            """,
            """
            connection 1
            > GET /items
              X-Requested-With: XMLHttpRequest
              Accept: */*
            < ↓302
              Location: http://sts.test/adfs/ls/?wa=wsignin1.0
            connection 2 to 203.0.113.60:80
            > GET /adfs/ls/?wa=wsignin1.0
              Host: sts.test
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /items
              Accept: text/html,application/xhtml+xml,*/*;q=0.8
            < 302
              Location: http://intranet.example/login?next=%2Fitems
            > GET /login?next=%2Fitems
              Accept: text/html,application/xhtml+xml,*/*;q=0.8
            < 200
            """,
            """
            # A silent renewal.
            connection 1
            > GET /api/items
              Accept: application/json
            < 302
              Location: http://intranet.example/oauth2/authorize?prompt=none
            > GET /oauth2/authorize?prompt=none
              Accept: application/json
            < 302
              Location: http://intranet.example/api/items?code=7
            > GET /api/items?code=7
              Accept: application/json
            < 200
            """,
            """
            # A refused login, and a logout.
            connection 1
            > POST /login
              X-Requested-With: XMLHttpRequest
              body 40
            < 302
              Location: http://intranet.example/login?error=1
            > GET /login?error=1
              X-Requested-With: XMLHttpRequest
            < 200
            > POST /api/logout
              X-Requested-With: XMLHttpRequest
              body 2
            < 302
              Location: http://intranet.example/login
            > GET /login
              X-Requested-With: XMLHttpRequest
            < 200
            """,
            """
            # To an address that has nothing to do with a login.
            connection 1
            > GET /api/items
              Accept: application/json
            < 302
              Location: http://intranet.example/api/v2/items
            > GET /api/v2/items
              Accept: application/json
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.redirect]

    /// How many transactions behind a redirect are looked at, and how soon a client follows it, in seconds.
    private static let (window, patience) = (64, 10.0)

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        var redirected: [Transaction] = []
        var pages: [Transaction] = []
        for entry in chain.entries where entry.summary.status.map({ (301...308).contains($0) }) == true {
            let transaction = entry.transaction
            guard transaction.isDataRequestSentToLogin, transaction.isComplete,
                let page = loginPage(behind: transaction, in: chain)
            else { continue }
            redirected.append(transaction)
            pages.append(page)
        }
        guard let first = redirected.first, let last = redirected.last else { return .clear }
        let times = redirected.count == 1 ? "" : " (\(redirected.count) times)"
        let isServedLater = isServed(first, after: last, in: chain)
        let message =
            "the request for \(first.path), which asks for data, is redirected to the login at \(pages[0].path), and gets "
            + "that page with 200\(times)" + (isServedLater ? "; later the data is served" : "")
        return .found([
            page.finding(
                message,
                at: .response(first),
                in: zip(redirected, pages).flatMap { [$0, $1] },
                severity: isServedLater ? .note : .warning
            )
        ])
    }

    /// The page that the client gets for following a redirect to a login.
    private func loginPage(behind redirected: Transaction, in chain: Chain) -> Transaction? {
        guard let target = redirected.redirectTarget else { return nil }
        let next = chain.context.transactions(of: chain.session.client, after: redirected, atMost: Self.window).first {
            $0.requestedResource == target && $0.userAgentBytes == redirected.userAgentBytes
        }
        guard let next, next.status == 200, next.startTime.seconds(since: redirected.endTime) <= Self.patience else {
            return nil
        }
        return next
    }

    /// Whether the client gets what it asked for in the end: it knew what to do.
    private func isServed(_ first: Transaction, after last: Transaction, in chain: Chain) -> Bool {
        let resource = first.requestedResource
        return chain.entries.contains { entry in
            entry.summary.packet > last.packet && entry.summary.status.map { (200..<300).contains($0) } == true
                && entry.transaction.requestedResource == resource
        }
    }
}
