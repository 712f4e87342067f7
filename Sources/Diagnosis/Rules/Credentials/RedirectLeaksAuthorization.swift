import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct RedirectLeaksAuthorization: Rule {
    let page = RulePage(
        id: "redirect-leaks-authorization",
        severity: .error,
        title: "A redirect carries the credential to another origin",
        what: "A request with credentials is redirected to another origin, and the request there brings the same ones.",
        why: """
            A credential is meant for the origin that it was given for. Whoever is redirected to gets it whole, may use \
            it, and may refuse a request that brings one it does not know. From https to http it travels in clear.
            """,
        fix: [
            .client(
                """
                Remove Authorization in urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:) where \
                scheme, host or port change; do not set it on all requests of a URLSessionConfiguration.
                """
            ),
            .server("Redirect to signed URLs, which need no credential, or stay on the origin."),
            .server(
                "Take the credential as known to the other origin's operator, and renew it where that is another one."
            ),
        ],
        verify: "The request for the redirect's target has no Authorization field.",
        lookAlikes: [
            "A redirect from http to https on the same host.",
            "A client that has a credential for the other origin of its own, or answers a challenge of it.",
        ],
        sources: ["RFC 9110 §15.4", "Fetch Standard, HTTP-redirect fetch", "CVE-2018-1000007"],
        triggering: [
            """
            connection 1
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 302
              Location: http://storage.test/f/7
            connection 2 to 203.0.113.60:80
            > ↓GET /f/7
              Host: storage.test
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 200
            """,
            """
            # A sibling of the host: some clients mean it.
            connection 1
            > GET /files/7
              Authorization: Basic {basic alice:secret}
            < 307
              Location: http://files.intranet.example/f/7
            connection 2 to 203.0.113.60:80
            > ↓GET /f/7
              Host: files.intranet.example
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /files/7
              Authorization: Basic {basic alice:secret}
            < 302
              Location: http://intranet.example/files/7
            connection 2
            > ↓GET /files/7
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 301
              Location: https://intranet.example/files/7
            connection 2 to 198.51.100.20:443 over tls
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 200
            """,
            """
            connection 1
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 302
              Location: http://storage.test/f/7
            connection 2 to 203.0.113.60:80
            > GET /f/7
              Host: storage.test
            < 200
            """,
            """
            # The other origin asks, and gets the same account's password.
            connection 1
            > GET /files/7
              Authorization: Basic {basic alice:secret}
            < 302
              Location: http://storage.test/f/7
            connection 2 to 203.0.113.60:80
            > GET /f/7
              Host: storage.test
            < 401
              WWW-Authenticate: Basic realm="storage"
            > GET /f/7
              Host: storage.test
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            # The client uses the token at both origins of its own accord.
            connection 1 to 203.0.113.60:80
            > GET /me
              Host: storage.test
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 200
            connection 2
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 302
              Location: http://storage.test/f/7
            connection 1
            > GET /f/7
              Host: storage.test
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 200
            """,
            """
            # Another credential than that of the redirected request.
            connection 1
            > GET /files/7
              Authorization: Bearer mF_9.B5f-4.1JqM
            < 302
              Location: http://storage.test/f/7
            connection 2 to 203.0.113.60:80
            > GET /f/7
              Host: storage.test
              Authorization: Bearer 2YotnFZFEjr1zCsicMWpAA
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.redirect]

    /// How many of the client's transactions around a redirect are looked at, and how soon a client follows it, in seconds.
    private static let (window, patience) = (256, 10.0)

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        for entry in chain.entries where entry.summary.hasCredentials {
            let source = entry.transaction
            guard source.isRedirect, let target = source.redirectTarget, source.leaks(to: target.origin),
                let next = follower(of: source, to: target, in: chain)
            else { continue }
            let scheme = source.originFields.credentials.first?.scheme.rawValue ?? ""
            let message =
                "the redirect of packet \(source.responsePacket ?? 0) leads from \(source.origin.shortDescription) to "
                + "\(target.origin.shortDescription), and the request there carries the same \(scheme) credential"
            let isRelated = source.origin.isRelated(to: target.origin)
            return .found([
                page.finding(
                    message,
                    at: .request(next),
                    in: [source, next],
                    severity: isRelated ? .warning : .error
                )
            ])
        }
        return .clear
    }

    /// The request that follows a redirect with the very credential of the redirected one, unasked.
    private func follower(of source: Transaction, to target: RequestedResource, in chain: Chain) -> Transaction? {
        let client = chain.session.client
        let credential = source.request?.fields.first(.authorization)
        guard credential != nil else { return nil }
        let isOfTarget = { (other: Transaction) in
            other.origin == target.origin && other.userAgentBytes == source.userAgentBytes
        }
        let later = chain.context.transactions(of: client, after: source, atMost: Self.window).filter(isOfTarget)
        // The first request: any other one may answer a challenge.
        guard let next = later.first, next.requestedResource == target,
            next.startTime.seconds(since: source.endTime) <= Self.patience,
            next.packet > source.responsePacket ?? .max, next.request?.fields.first(.authorization) == credential,
            // Where two kinds of authentication are what is refused, that says it more precisely.
            !(next.isSignedURL && (next.status == 400 || next.status == 403))
        else { return nil }
        let earlier = chain.context.transactions(of: client, before: source, atMost: Self.window).filter(isOfTarget)
        let isKnownThere = earlier.contains { other in
            other.status == 401 || other.request?.fields.first(.authorization) == credential
        }
        return isKnownThere ? nil : next
    }
}

extension Transaction {
    /// Whether the credential of the request would get to somebody it is not meant for.
    ///
    /// What is bound to a connection or to a nonce is of no use there.
    fileprivate func leaks(to target: Origin) -> Bool {
        guard target != origin, let scheme = originFields.credentials.first?.scheme,
            originFields.credentials.count == 1,
            !scheme.requiresSameConnection, scheme.kind != .digest
        else { return false }
        let isUpgrade = origin.scheme == "http" && target.scheme == "https" && origin.host == target.host
        return !isUpgrade
    }
}

extension Origin {
    /// Whether two servers are likely to be of one operator: the same host or names under one domain, and no less safe.
    fileprivate func isRelated(to other: Origin) -> Bool {
        if scheme == "https" && other.scheme != "https" { return false }
        if host == other.host { return true }
        guard !isAddress, !other.isAddress else { return false }
        let (own, others) = (host.split(separator: "."), other.host.split(separator: "."))
        return own.count >= 2 && others.count >= 2 && own.suffix(2) == others.suffix(2)
    }
}
