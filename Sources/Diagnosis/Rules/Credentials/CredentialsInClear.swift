import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct CredentialsInClear: Rule {
    let page = RulePage(
        id: "credentials-in-clear",
        severity: .warning,
        title: "Reusable credential sent without TLS",
        what: "A Basic password or a Bearer token travels over a connection that is not encrypted.",
        why: """
            Basic is the password itself in base64, and a Bearer token is good for whoever holds it: anyone on the way can \
            read and use them. App Transport Security blocks such requests on iOS and macOS unless an exception is made.
            """,
        fix: [
            .server("Serve the site over https, and redirect http to it before any credential is asked for."),
            .client(
                "An exception in Info.plist (NSExceptionDomains) makes the request possible, but does not protect it."
            ),
        ],
        verify: "The requests with credentials are inside TLS.",
        lookAlikes: [
            "A capture taken behind a TLS terminator (X-Forwarded-Proto: https): a note.",
            "The machine's own loopback interface: nothing to see for others.",
        ],
        sources: ["RFC 7617 §4", "RFC 6750 §5.3"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Host: localhost
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            connection 1
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", response="0"
            < 200
            """,
        ]
    )

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.origin.isLoopback else { return .notApplicable }
        let exposed = chain.exchanges.filter { exchange in
            let kind = exchange.scheme.kind
            return (kind == .basic || kind == .bearer) && !exchange.lastLeg.transaction.isSecure
        }.filter { !chain.connection(of: $0.lastLeg.transaction).server.address.isLoopback }
        guard let first = exposed.first else { return .clear }
        let isBehindTerminator = exposed.allSatisfy {
            $0.lastLeg.transaction.request?.fields.text(of: .xForwardedProto)?.lowercased() == "https"
        }
        let what = first.scheme.kind == .basic ? "the Basic password of \(first.accountInQuotes)" : "a Bearer token"
        let times = exposed.count == 1 ? "" : " in \(exposed.count) requests"
        let message = "\(what) is sent without TLS\(times)"
        return .found([
            page.finding(
                message,
                at: .request(first.lastLeg.transaction),
                in: exposed.map(\.lastLeg.transaction),
                severity: isBehindTerminator ? .note : .warning
            )
        ])
    }
}
