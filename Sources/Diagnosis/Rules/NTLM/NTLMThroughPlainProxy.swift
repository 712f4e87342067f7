import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMThroughPlainProxy: Rule {
    let page = RulePage(
        id: "ntlm-through-plain-proxy",
        severity: .warning,
        title: "NTLM goes through a proxy that does not promise to keep connections apart",
        what: """
            A server behind a plain HTTP proxy asks for NTLM or Negotiate, the responses have no Proxy-Support: \
            Session-Based-Authentication, and the handshake fails.
            """,
        why: """
            These schemes authenticate the connection from end to end. A proxy that shares its connections to servers \
            among requests hands the legs of one handshake to different connections, or a user's connection to another.
            """,
        fix: [
            .network("Use a proxy that binds the server's connection to the client's, and says so with Proxy-Support."),
            .server("Offer the site over https: through a tunnel the connection is the client's own."),
        ],
        verify: "The server's 401 comes with Proxy-Support: Session-Based-Authentication, and the login works.",
        lookAlikes: ["A login through a tunnel (CONNECT), which the proxy cannot disturb."],
        sources: ["RFC 4559 §6"],
        triggering: [
            """
            connection 1 to 192.0.2.30:3128
            > GET http://intranet.example/app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
              Via: 1.1 proxy
            > GET http://intranet.example/app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < ↓401
              WWW-Authenticate: NTLM
              Via: 1.1 proxy
            """
        ],
        notTriggering: [
            """
            connection 1 to 192.0.2.30:3128
            > GET http://intranet.example/app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
              Proxy-Support: Session-Based-Authentication
            > GET http://intranet.example/app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
              Proxy-Support: Session-Based-Authentication
            """,
            """
            connection 1 to 192.0.2.30:3128
            > GET http://intranet.example/app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET http://intranet.example/app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.refusal, .tokenScheme]

    func findings(in chain: Chain) -> Outcome {
        guard chain.target == .origin else { return .notApplicable }
        let failed = chain.exchanges.filter { exchange in
            exchange.isConnectionBound && exchange.outcome != .accepted && exchange.outcome != .unknown
                && exchange.legs.allSatisfy { isUnannounced($0.transaction) }
                && !chain.isMadeGood(after: exchange.lastLeg.transaction)
        }
        guard let first = failed.first else { return .clear }
        let message =
            "\(first.scheme) goes through a plain proxy that does not announce Session-Based-Authentication, and fails"
        let transactions = failed.map(\.lastLeg.transaction)
        return .found([
            page.finding(message, at: .response(transactions[0]), in: transactions, confidence: .possible)
        ])
    }

    /// Whether a refused request went to a proxy in absolute-form, and the proxy promised nothing.
    private func isUnannounced(_ transaction: Transaction) -> Bool {
        guard let request = transaction.request, transaction.status == 401, transaction.http.tunnel == nil,
            request.target.hasPrefix("http://"), transaction.response?.isHeadComplete == true
        else { return false }
        return transaction.response?.fields.contains(.proxySupport) != true
    }
}
