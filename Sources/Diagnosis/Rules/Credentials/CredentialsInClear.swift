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

    let needs: ChainTraits = [.exposed]

    func findings(in chain: Chain) -> Outcome {
        guard !chain.space.origin.isLoopback else { return .notApplicable }
        let exchanges = chain.exchanges
        var first: AuthenticationExchange?
        var exposed: [Transaction] = []
        for index in exchanges.indices {
            guard let transaction = exposure(of: exchanges[index], in: chain) else { continue }
            if first == nil {
                first = exchanges[index]
                exposed.reserveCapacity(exchanges.count - index)
            }
            exposed.append(transaction)
        }
        guard let first else { return .clear }
        let isBehindTerminator = exposed.allSatisfy {
            $0.requestTexts(of: .xForwardedProto).first?.lowercased() == "https"
        }
        var message = ""
        // Every chain in clear has this message: it is to be put together in one place.
        message.reserveCapacity(96)
        if first.scheme.kind == .basic {
            message += "the Basic password of "
            message += first.accountInQuotes
        } else {
            message += "a Bearer token"
        }
        message += " is sent without TLS"
        if exposed.count > 1 { message += " in \(exposed.count) requests" }
        return .found([
            page.finding(
                message,
                at: .request(exposed[0]),
                in: exposed,
                severity: isBehindTerminator ? .note : .warning
            )
        ])
    }

    /// The request that exposes a reusable credential to whoever is on the way; `nil` where none does.
    private func exposure(of exchange: AuthenticationExchange, in chain: Chain) -> Transaction? {
        let kind = exchange.scheme.kind
        guard kind == .basic || kind == .bearer else { return nil }
        let transaction = exchange.lastLeg.transaction
        guard !transaction.isSecure, !chain.context.server(on: transaction.connection).address.isLoopback else {
            return nil
        }
        return transaction
    }
}
