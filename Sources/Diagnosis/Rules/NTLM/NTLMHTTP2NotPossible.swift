import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct NTLMHTTP2NotPossible: Rule {
    let page = RulePage(
        id: "ntlm-http2-not-possible",
        severity: .error,
        step: .handshake,
        title: "NTLM attempted over HTTP/2",
        what: "An NTLM message goes out on a stream of HTTP/2, and the handshake is not accepted.",
        why: """
            NTLM authenticates a connection, and HTTP/2 shares its connection between requests. Servers reset the stream \
            with HTTP_1_1_REQUIRED, or go on answering 401; the client has to change to HTTP/1.1.
            """,
        fix: [
            .server("Switch HTTP/2 off for the site with Windows authentication; IIS does NTLM over HTTP/1.1 alone."),
            .client("Repeat the request over HTTP/1.1 (curl --http1.1); URLSession does on HTTP_1_1_REQUIRED."),
        ],
        verify: "The NTLM messages are on a connection of HTTP/1.1.",
        lookAlikes: [
            "Kerberos inside Negotiate over HTTP/2: works, request by request.",
            "A 401 that offers NTLM over HTTP/2, and a handshake over HTTP/1.1 after it: the right way.",
        ],
        supersedes: [
            "ntlm-handshake-abandoned", "ntlm-conn-closed-after-challenge", "connection-reset-during-handshake",
            "server-no-answer", "ntlm-credential-rejected", "ntlm-login-loop", "negotiate-ntlm-fallback",
            "http11-required-not-retried",
        ],
        sources: ["RFC 9113 §7", "MS-NTHT §1.3", "Microsoft: HTTP/2 on IIS"],
        triggering: [
            """
            connection 1 over http2
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            > ↓GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < raw 0000040300000000030000000D
            closed by client
            """,
            """
            connection 1 to 198.51.100.20:443 over tls over http2
            > ↓GET /app
              Authorization: Negotiate {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: Negotiate
              WWW-Authenticate: NTLM
            closed by client
            """,
        ],
        notTriggering: [
            """
            connection 1 over http2
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            connection 2
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            """,
            """
            connection 1 over http2
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=Kerberos token={AP-REQ service=HTTP/intranet.example}}
            < 401
              WWW-Authenticate: Negotiate
            closed by client
            """,
            """
            # The client goes over to HTTP/1.1.
            connection 1 over http2
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < raw 0000040300000000010000000D
            closed by client
            connection 2
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ]
    )

    let needs: ChainTraits = [.ntlm]

    func findings(in chain: Chain) -> Outcome {
        let failed = chain.exchanges.filter { exchange in
            [.rejected, .broken, .abandoned].contains(exchange.outcome) && exchange.isNTLM
                && exchange.legs.contains { $0.ntlm != nil && $0.transaction.http.stream != nil }
                && !chain.isMadeGood(after: exchange.lastLeg.transaction)
        }
        guard let first = failed.first?.legs.first(where: { $0.ntlm != nil && $0.transaction.http.stream != nil })
        else {
            return .clear
        }
        let end =
            chain.serverReset(of: first.transaction).map { "the server reset the stream with \($0.code)" }
            ?? first.transaction.status.map { "the server answered \($0)" } ?? "no answer came"
        return .found([
            page.finding(
                "the client sent \(first.name) over HTTP/2, and \(end)",
                at: .request(first.transaction),
                in: failed.flatMap(\.legs).map(\.transaction)
            )
        ])
    }
}
