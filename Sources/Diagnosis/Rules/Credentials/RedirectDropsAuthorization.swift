import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct RedirectDropsAuthorization: Rule {
    let page = RulePage(
        id: "redirect-drops-authorization",
        severity: .error,
        step: .continue,
        title: "The redirect's target is requested without Authorization",
        what: "A request with credentials is redirected; the request for the new address has none, and is refused.",
        why: """
            The loading system drops a hand-set Authorization field on a redirect, also where the target differs in a slash \
            or in https alone. Towards another origin that is by design: it keeps the credential from a stranger.
            """,
        fix: [
            .client("Ask for the final URL in the first place."),
            .client(
                """
                Or add the field again in urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:), \
                for the same origin only.
                """
            ),
            .server("Avoid redirects on API paths: serve both forms of the URL."),
        ],
        verify: "The request for the redirect's target carries Authorization, or is not needed.",
        lookAlikes: ["A redirect to a signed URL of another host, which is served without credentials: right."],
        supersedes: ["challenge-unanswered", "authorization-only-on-first-request"],
        sources: ["RFC 9110 §15.4", "Fetch Standard, HTTP-redirect fetch"],
        triggering: [
            """
            connection 1
            > GET /coupons
              Authorization: Bearer {jwt sub=alice}
            < 301
              Location: http://intranet.example/coupons/
            > GET /coupons/
            < ↓401
              WWW-Authenticate: Bearer realm="api"
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /files/7
              Authorization: Bearer {jwt sub=alice}
            < 302
              Location: http://bucket.example/f/7?sig=77ab
            connection 2 to 203.0.113.60:80
            > GET /f/7?sig=77ab
              Host: bucket.example
            < 200
            """
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.isProxy else { return .notApplicable }
        let all = chain.context.transactions(of: chain.session.client)
        for exchange in chain.exchanges {
            let source = exchange.lastLeg.transaction
            guard let status = source.status, [301, 302, 303, 307, 308].contains(status),
                let target = source.redirectTarget,
                let next = all.first(where: { $0.packet > source.packet && $0.url == target }),
                next.originFields.credentials.isEmpty, next.status == 401 || next.status == 403,
                !all.contains(where: { $0.packet > next.packet && $0.url == target && $0.isServed })
            else { continue }
            let isSameHost = next.origin.host == source.origin.host
            let message =
                "the redirect of packet \(source.responsePacket ?? 0) is followed without Authorization, "
                + "and \(next.path) is refused with \(next.status ?? 0)"
                + (isSameHost ? "" : "; dropping it towards another host is by design")
            return .found([
                page.finding(
                    message,
                    at: .response(next),
                    in: [source, next],
                    severity: isSameHost ? .error : .warning
                )
            ])
        }
        return .clear
    }
}

extension Transaction {
    /// Where the response redirects to, as a full URL; `nil` where it does not say.
    ///
    /// - Source: RFC 9110 §10.2.2; RFC 3986 §5.2 for the two forms that servers send: absolute, and an absolute path.
    fileprivate var redirectTarget: String? {
        guard let location = response?.fields.text(of: .location) else { return nil }
        if location.hasPrefix("/"), !location.hasPrefix("//") { return origin.shortDescription + location }
        return location
    }
}
