import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct HeaderTooLarge: Rule {
    let page = RulePage(
        id: "header-too-large",
        severity: .error,
        step: .accept,
        title: "Request header block over the server's limit",
        what: "The server refuses a request whose Authorization or Cookie field has several kilobytes.",
        why: """
            Servers and proxies limit the header block, mostly to 8 or 16 KiB. A token with many claims or groups, or \
            cookies that pile up, pass the limit for some users only.
            """,
        fix: [
            .server(
                """
                Raise the limit (large_client_header_buffers in nginx, LimitRequestFieldSize in Apache httpd, \
                MaxFieldLength and MaxRequestBytes in HTTP.sys), or put less into the token.
                """
            ),
            .client("Delete the cookies of the site: HTTPCookieStorage and WKHTTPCookieStore keep them over restarts."),
        ],
        verify: "The same request is answered with another status than 400, 413 or 431.",
        lookAlikes: ["A 400 to a small request: something else is malformed."],
        sources: ["RFC 6585 §5"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Bearer {bytes 6000}
            < 431
            closed by server
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic alice:secret}
              Cookie: session={bytes 9000}
            < 400
            closed by server
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Bearer {bytes 200}
            < 400
            closed by server
            """,
            """
            connection 1
            > GET /app
              Authorization: Bearer {bytes 9000}
            < 200
            """,
            """
            # The next try passes: the client has deleted its cookies.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
              Cookie: session={bytes 9000}
            < 400
            closed by server
            connection 2
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.sizeRefusal]

    /// The size from which a refusal that says "too large" is believed, and the one from which a plain 400 means it.
    private static let (statedLimit, usualLimit) = (4096, 8000)
    private static let retryWindow = 60.0

    func findings(in chain: Chain) -> Outcome {
        let refused = Array(chain.entries.lazy.map(\.transaction).filter { isRefusedForSize($0) })
        guard let first = refused.last, !isServedLater(than: first, in: chain), let largest = largestField(of: first)
        else { return .clear }
        let status = first.status ?? 0
        return .found([
            page.finding(
                "the \(largest.name) field has \(largest.size) bytes, and the server answered with \(status)",
                at: .request(refused[0]),
                in: refused,
                confidence: status == 431 || status == 494 ? .certain : .likely
            )
        ])
    }

    private func isRefusedForSize(_ transaction: Transaction) -> Bool {
        guard let status = transaction.status, [400, 413, 431, 494].contains(status),
            let size = largestField(of: transaction)?.size
        else { return false }
        return size >= (status == 431 || status == 494 ? HeaderTooLarge.statedLimit : HeaderTooLarge.usualLimit)
    }

    /// The largest of the fields that grow with the user, all lines of a name together.
    private func largestField(of transaction: Transaction) -> (name: FieldName, size: Int)? {
        guard let fields = transaction.request?.fields else { return nil }
        return [FieldName.authorization, .proxyAuthorization, .cookie].map { name in
            (name, fields.values(of: name).reduce(0) { $0 + $1.count })
        }.max { $0.1 < $1.1 }
    }

    private func isServedLater(than transaction: Transaction, in chain: Chain) -> Bool {
        chain.entries.contains { entry in
            entry.transaction.packet > transaction.packet && entry.transaction.path == transaction.path
                && entry.transaction.status.map { $0 < 400 } == true
                && entry.transaction.startTime.seconds(since: transaction.endTime) <= HeaderTooLarge.retryWindow
        }
    }
}
