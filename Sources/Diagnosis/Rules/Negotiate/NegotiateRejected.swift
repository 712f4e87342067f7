import AuthScanSchemes
import AuthScanSessions

struct NegotiateRejected: Rule {
    let page = RulePage(
        id: "negotiate-rejected",
        severity: .error,
        step: .accept,
        title: "Negotiate token refused",
        what: "The server answers a token with negState = reject, with a KRB-ERROR, or with a bare 401.",
        why: """
            The service could not accept the token. Where it sends a KRB-ERROR, the code names the reason; without one the \
            key of the service (keytab, account, SPN) is the first thing to look at.
            """,
        fix: [
            .server(
                "Hold the keytab against the account: principal, key version and encryption types must fit the ticket."
            ),
            .server("Look for a duplicate SPN (setspn -X) and at the clocks."),
        ],
        verify: "The answer to the token is another status than 401, or carries negState = accept-completed.",
        lookAlikes: [
            "A 401 with accept-incomplete: the negotiation goes on.",
            "A token that carries NTLM: negotiate-ntlm-fallback.",
        ],
        sources: ["RFC 4178 §4.2.2", "RFC 4120 §7.5.9"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject}
            closed by client
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=60}}
            closed by client
            """,
            """
            # The server names the reason as if the negotiation went on.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete mech=Kerberos token={KRB-ERROR code=60}}
            closed by client
            """,
            """
            # With another status.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓403
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject}
            closed by client
            """,
            """
            # Without any reason: a warning.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < ↓401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # The same of a proxy.
            connection 1
            > CONNECT app.example:443
              Proxy-Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/proxy.example}}
            < ↓407
              Proxy-Authenticate: Negotiate
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
            """
            # The next ticket is accepted.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=reject token={KRB-ERROR code=37}}
            wait 2 s
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 200
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed}
            """,
            """
            # The server accepts the ticket and refuses the resource.
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate {SPNEGO resp state=accept-completed token={AP-REP}}
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.negotiate, .failedTry]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.exchanges.filter { exchange in
            exchange.scheme.kind == .negotiate && exchange.lastLeg.ntlm == nil && isRefused(exchange)
                && !chain.isMadeGood(after: exchange.lastLeg.transaction, within: 60)
        }
        guard let first = refused.first(where: { reason(of: $0) != nil }) ?? refused.first(where: isBareRefusal) else {
            return .clear
        }
        let stated = reason(of: first)
        let message =
            stated.map { "the server refused the Negotiate token: \($0)" }
                ?? """
                the \(chain.space.isProxy ? "proxy" : "server") refused the Kerberos ticket with a bare \
                \(chain.target.refusalStatus) and gave no reason
                """
        let transactions = refused.map(\.lastLeg.transaction)
        return .found([
            page.finding(
                message,
                at: .response(first.lastLeg.transaction),
                in: transactions,
                severity: stated == nil ? .warning : .error,
                confidence: stated == nil ? .possible : .certain
            )
        ])
    }

    /// Whether the server's last word is a refusal: its status is one, or the token of a failed request says so.
    private func isRefused(_ exchange: AuthenticationExchange) -> Bool {
        let isSuccess = exchange.lastLeg.transaction.status.map { $0 < 400 } ?? true
        return exchange.outcome == .rejected || (!isSuccess && reason(of: exchange) != nil)
    }

    /// What the server's token says; `nil` where it sent none.
    private func reason(of exchange: AuthenticationExchange) -> String? {
        for challenge in exchange.lastLeg.transaction.fields(for: exchange.target).challenges {
            if let error = challenge.kerberos?.krbError {
                return "\(error.errorCode.name) (\(error.errorCode.rawValue)), \(error.errorCode.meaning)"
            }
            if challenge.negotiate?.spnego?.negTokenResp?.negState == .reject { return "negState = reject" }
        }
        return nil
    }

    private func isBareRefusal(_ exchange: AuthenticationExchange) -> Bool {
        exchange.lastLeg.credentials.kerberos?.apReq != nil
            && exchange.lastLeg.transaction.status == exchange.target.refusalStatus
    }
}
