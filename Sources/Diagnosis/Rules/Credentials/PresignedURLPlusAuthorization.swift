import AuthScanSessions
import AuthScanWire

struct PresignedURLPlusAuthorization: Rule {
    let page = RulePage(
        id: "presigned-url-plus-authorization",
        severity: .error,
        step: .accept,
        title: "A signed URL is asked for with Authorization as well",
        what: "The query of the URL holds a signature, the request brings Authorization besides, and it is refused.",
        why: """
            A signed URL of a storage service is a credential by itself, and the service takes one kind at a time. Mostly a \
            redirect led to it, and the client carried its Authorization along.
            """,
        fix: [
            .client(
                """
                Send no Authorization to the host that the redirect leads to: in \
                urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:) take the field out of the new \
                request.
                """
            ),
            .server("Hand out the URL in the body instead of redirecting, so that clients ask for it anew."),
        ],
        verify: "The request for the signed URL has no Authorization, and is served.",
        lookAlikes: ["A service that takes both, and answers 2xx."],
        supersedes: ["authenticated-but-forbidden", "credential-scheme-not-offered", "no-common-scheme"],
        sources: ["AWS Signature Version 4 (query string authentication)", "RFC 9110 §15.4"],
        triggering: [
            """
            connection 1
            > GET /artifacts/88
              Authorization: Bearer b2-token
            < 302
              Location: http://bucket.example/88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d
            connection 2 to 203.0.113.60:80
            > ↓GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d
              Host: bucket.example
              Authorization: Bearer b2-token
            < 400
            closed by server
            """,
            """
            # Some say forbidden.
            connection 1
            > ↓GET /container/88.zip?sv=2022-11-02&se=2026-01-06T00%3A00%3A00Z&sr=b&sp=r&sig=6f1d
              Authorization: Bearer b2-token
            < 403
            closed by server
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d
              Authorization: Bearer b2-token
            < 200
            """,
            """
            # The signature alone, which has expired.
            connection 1
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d
            < 403
            """,
            """
            # Without the field it is refused as well: the signature is what is wrong.
            connection 1
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d
              Authorization: Bearer b2-token
            < 403
            > GET /88.zip?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Signature=6f1d
            < 403
            """,
            """
            # A parameter by that name in another meaning.
            connection 1
            > GET /letters?signature=yes
              Authorization: Bearer b2-token
            < 400
            """,
        ]
    )

    let needs: ChainTraits = [.failedTry]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let refused = chain.exchanges.filter { exchange in
            let status = exchange.lastSummary.status
            return (status == 400 || status == 403) && exchange.lastLeg.transaction.hasSignedURL
        }.map(\.lastLeg.transaction)
        guard let first = refused.first, !isRefusedWithout(first, in: chain) else { return .clear }
        let isBadRequest = first.status == 400
        let message =
            "\(first.path) is asked for with a signed URL and Authorization together, and refused with \(first.status ?? 0)"
        return .found([
            page.finding(
                message,
                at: .request(first),
                in: refused,
                severity: isBadRequest ? .error : .warning,
                confidence: isBadRequest ? .likely : .possible
            )
        ])
    }

    /// Whether the same is refused without Authorization.
    private func isRefusedWithout(_ signed: Transaction, in chain: Chain) -> Bool {
        chain.entries.contains { entry in
            guard !entry.summary.hasCredentials, let status = entry.summary.status, status >= 400 else { return false }
            return entry.transaction.request?.target == signed.request?.target
        }
    }
}
