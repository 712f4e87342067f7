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
            # Each time anew.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 301
              Location: /app/
            > GET /app/
            < ↓401
              WWW-Authenticate: Basic realm="app"
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 301
              Location: /app/
            > GET /app/
            < 401
              WWW-Authenticate: Basic realm="app"
            closed by client
            """,
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
            """,
            """
            connection 1
            > GET /coupons
              Authorization: Bearer {jwt sub=alice}
            < 302
              Location: http://INTRANET.example:80/coupons/?page=1#top
            > GET /coupons/?page=1
            < ↓401
              WWW-Authenticate: Bearer realm="api"
            closed by client
            """,
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
            """,
            """
            connection 1
            > GET /coupons
              Authorization: Basic {basic alice:secret}
            < 301
              Location: /coupons/
            > GET /coupons/
            < 401
              WWW-Authenticate: Basic realm="shop"
            > GET /coupons/
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.bareRefusal]

    /// A redirected request with credentials, and the refused one that follows the redirect without.
    private struct Loss {
        let source: Transaction
        let next: Transaction

        var isSameHost: Bool { next.origin.host == source.origin.host }
        var isSameOrigin: Bool { next.origin == source.origin }
    }

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        var losses: [Loss] = []
        for entry in chain.entries where entry.transaction.isRefusedBare {
            let next = entry.transaction
            guard let source = redirect(to: next, in: chain), !isMended(next, in: chain) else { continue }
            losses.append(Loss(source: source, next: next))
        }
        // Towards another host or port it is another matter, which weighs less.
        let kinds = [losses.filter(\.isSameOrigin), losses.filter { $0.isSameHost && !$0.isSameOrigin }]
        let findings = (kinds + [losses.filter { !$0.isSameHost }]).compactMap(finding)
        return findings.isEmpty ? .clear : .found(findings)
    }

    /// The finding about losses of one kind; `nil` where there are none.
    private func finding(_ losses: [Loss]) -> Finding? {
        guard let first = losses.first else { return nil }
        let times = losses.count == 1 ? "" : ", \(losses.count) times in all"
        let message =
            "the redirect of packet \(first.source.responsePacket ?? 0) is followed without Authorization, "
            + "and \(first.next.path) is refused with \(first.next.status ?? 0)\(times)"
            + (first.isSameHost ? "" : "; dropping it towards another host is by design")
        return page.finding(
            message,
            at: .response(first.next),
            in: losses.flatMap { [$0.source, $0.next] },
            severity: first.isSameHost ? .error : .warning,
            // Towards another server it is the first request, and what fails is the answer to its challenge.
            step: first.isSameOrigin ? nil : .answer
        )
    }

    /// How many of the client's transactions before and behind a refusal are looked at.
    private static let window = 256

    /// The latest request with credentials that was redirected to what this one asks for, and that this one is the first to
    /// follow.
    private func redirect(to next: Transaction, in chain: Chain) -> Transaction? {
        let client = chain.session.client
        let earlier = chain.context.transactions(of: client, before: next, atMost: Self.window)
        guard earlier.contains(where: \.isRedirectedWithCredentials) else { return nil }
        let resource = next.requestedResource
        for source in earlier.reversed() {
            if source.requestedResource == resource { return nil }
            guard source.isRedirectedWithCredentials, source.redirectTarget == resource else { continue }
            // With the cookie of the redirect the request is authenticated its own way.
            return Set(source.setCookies.map(\.name)).isDisjoint(with: next.cookieNames) ? source : nil
        }
        return nil
    }

    /// Whether the resource is served later, or asked for with credentials.
    private func isMended(_ next: Transaction, in chain: Chain) -> Bool {
        let resource = next.requestedResource
        return chain.context.transactions(of: chain.session.client, after: next, atMost: Self.window).contains {
            ($0.isServed || !$0.originFields.credentials.isEmpty) && $0.requestedResource == resource
        }
    }
}

extension Transaction {
    /// Whether a request without credentials is refused.
    fileprivate var isRefusedBare: Bool {
        (status == 401 || status == 403) && originFields.credentials.isEmpty && request?.isHeadComplete == true
    }

    /// Whether a request with credentials of its own is answered with a redirect.
    fileprivate var isRedirectedWithCredentials: Bool {
        isRedirect && originFields.credentials.first.map { !$0.scheme.requiresSameConnection } ?? false
    }
}
