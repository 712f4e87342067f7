import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct PresignedURLPlusAuthorization: Rule {
    let page = RulePage(
        id: "presigned-url-plus-authorization",
        severity: .error,
        step: .accept,
        title: "A signed URL is requested with Authorization as well",
        what: "A request whose URL carries a signature brings an Authorization field too, and is refused.",
        why: """
            The signature in the query is the whole permission. A storage service takes one kind of authentication at a \
            time, and answers a request that brings two with 400. Mostly a redirect led to the URL, and the client \
            carried the field along.
            """,
        fix: [
            .client(
                """
                Leave Authorization out of the request for the signed URL: remove it in \
                urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:) where the host changes.
                """
            ),
            .server(
                "Hand the signed URL out in a response's body, so that the client asks for it by a request of its own."
            ),
        ],
        verify: "The request for the signed URL has no Authorization field, and is served.",
        lookAlikes: [
            "A signed URL that is served although there is an Authorization field: nothing is wrong.",
            "A signature that has expired: it is refused without the field as well.",
        ],
        supersedes: [
            "redirect-leaks-authorization", "stale-credentials-lockout", "basic-credential-rejected",
            "manual-authorization-plus-challenge",
        ],
        sources: ["AWS Signature Version 4, Authenticating Requests: Using Query Parameters", "RFC 9110 §15.5.1"],
        triggering: [
            """
            connection 1
            > GET /artifacts/88
              Authorization: Bearer {jwt sub=alice}
            < 302
              Location: http://bucket.example/88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d2c
            connection 2 to 203.0.113.60:80
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d2c
              Host: bucket.example
              Authorization: Bearer {jwt sub=alice}
            < ↓400
            """,
            """
            connection 1
            > GET /88.zip?sv=2024-11-04&se=2026-01-06&sig=6f1d2c
              Authorization: Bearer {jwt sub=alice}
            < ↓403
            > GET /88.zip?sv=2024-11-04&se=2026-01-06&sig=6f1d2c
            < 200
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d2c
              Authorization: Bearer {jwt sub=alice}
            < 200
            """,
            """
            # Refused without the field as well: the signature is what is wrong.
            connection 1
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d2c
              Authorization: Bearer {jwt sub=alice}
            < 400
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d2c
            < 403
            """,
            """
            # 403 alone may be an expired signature.
            connection 1
            > GET /88.zip?sv=2024-11-04&se=2026-01-06&sig=6f1d2c
              Authorization: Bearer {jwt sub=alice}
            < 403
            """,
            """
            # A parameter that only looks like a signature.
            connection 1
            > GET /api/search?sig=6f1d2c
              Authorization: Bearer {jwt sub=alice}
            < 400
            """,
        ]
    )

    let needs: ChainTraits = [.failedTry]

    /// How many of the client's transactions around a refusal are looked at.
    private static let window = 256

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        var refused: [Transaction] = []
        var isCertain = false
        for entry in chain.entries where entry.summary.hasCredentials {
            guard entry.summary.status == 400 || entry.summary.status == 403, entry.transaction.isSignedURL else {
                continue
            }
            switch bareTwinIsServed(entry.transaction, in: chain) {
            case true?: isCertain = true
            case false?: continue
            // A 403 may be the signature's own fault; 400 is the services' answer to two kinds of authentication.
            case nil: if entry.summary.status == 403 { continue }
            }
            refused.append(entry.transaction)
        }
        guard let first = refused.first else { return .clear }
        let scheme = first.originFields.credentials.first?.scheme.rawValue ?? ""
        let message =
            "\(first.path) is asked for by a signed URL and with \(scheme.isEmpty ? "Authorization" : scheme) credentials "
            + "as well, and refused with \(first.status ?? 0)"
            + (isCertain ? "; without them the same URL is served" : "; another fault of the request is possible")
        return .found([
            page.finding(message, at: .response(first), in: refused, confidence: isCertain ? .certain : .likely)
        ])
    }

    /// Whether the same URL is served to the client without credentials; `nil` where it does not ask so.
    private func bareTwinIsServed(_ refused: Transaction, in chain: Chain) -> Bool? {
        let client = chain.session.client
        let resource = refused.requestedResource
        let isTwin = { (other: Transaction) in
            other.status != nil && !other.summary.hasCredentials && other.method == refused.method
                && other.requestedResource == resource
        }
        let twin =
            chain.context.transactions(of: client, after: refused, atMost: Self.window).first(where: isTwin)
            ?? chain.context.transactions(of: client, before: refused, atMost: Self.window).last(where: isTwin)
        return twin.map(\.isServed)
    }
}
