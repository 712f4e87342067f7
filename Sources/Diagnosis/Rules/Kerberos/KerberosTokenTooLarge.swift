import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct KerberosTokenTooLarge: Rule {
    let page = RulePage(
        id: "kerberos-token-too-large",
        severity: .error,
        step: .accept,
        title: "Negotiate token breaks the limit on header fields",
        what:
            "The Authorization field with a Negotiate token is larger than 8 KiB, and the server refuses the request's size.",
        why: """
            A ticket of Active Directory lists every group of the user. With some hundreds of groups the token passes the \
            limits of servers and proxies: 8 KiB for a field in nginx and Apache httpd, 16 KiB for the request in HTTP.sys.
            """,
        fix: [
            .server(
                """
                Raise the limits: MaxFieldLength and MaxRequestBytes (HTTP.sys), large_client_header_buffers (nginx), \
                LimitRequestFieldSize (Apache httpd), requestHeaderSize (Jetty).
                """
            ),
            .server(
                "Reduce the user's groups, and let authentication persist so that the token is not sent each time."
            ),
        ],
        verify: "The same user's request is answered with another status than 400, 413 or 431.",
        lookAlikes: ["A field that is large for its cookies: header-too-large."],
        supersedes: ["header-too-large", "negotiate-rejected", "connection-reset-during-handshake"],
        sources: ["RFC 6585 §5", "Microsoft: HTTP 400 Bad Request (Request Header too long), KB 2020943"],
        triggering: [
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ size=9000}}
            < 431
            closed by server
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {bytes 12000}
            < 400
            closed by server
            """,
            """
            connection 1
            > ↓GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ size=12000}}
            reset by server
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ size=12000}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ size=900}}
            < 400
            closed by server
            """,
            """
            # The size is not what the server minds.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ size=12000}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=41}}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate]

    /// What servers take in one field by default: 8 KiB, with the field's name and the scheme.
    private static let limit = 8_000

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { exchange in
            let leg = exchange.lastLeg
            return exchange.scheme.kind == .negotiate && size(of: leg) >= KerberosTokenTooLarge.limit && leg.ntlm == nil
                && isRefusedForSize(leg.transaction, in: chain) && !chain.isMadeGood(after: leg.transaction)
        }
        guard let first = refused.first?.lastLeg else { return .clear }
        let answer = first.transaction.status.map { "answered it with \($0)" } ?? "reset the connection"
        return .found([
            page.finding(
                "the Negotiate token has \(size(of: first)) bytes, and the server \(answer)",
                at: .request(first.transaction),
                in: refused.map(\.lastLeg.transaction),
                confidence: first.transaction.status == 431 ? .certain : .likely
            )
        ])
    }

    private func size(of leg: Leg) -> Int { leg.credentials.token68?.byteCount ?? 0 }

    private func isRefusedForSize(_ transaction: Transaction, in chain: Chain) -> Bool {
        if let status = transaction.status { return [400, 413, 431, 494, 502].contains(status) }
        return chain.connection(of: transaction).closedBy == .serverReset
    }
}
