import AuthScanSessions

struct NTLMType3OnNewConnection: Rule {
    let page = RulePage(
        id: "ntlm-type3-on-new-connection",
        severity: .error,
        step: .handshake,
        title: "NTLM handshake finished on another connection",
        what: "The AUTHENTICATE_MESSAGE is sent on another TCP connection than the one that brought its challenge.",
        why: """
            NTLM authenticates a connection, not a request. The server keeps its challenge with the connection it was sent \
            on; on any other it has nothing to check the response against.
            """,
        fix: [
            .network(
                """
                Keep one connection through the handshake: HTTP/1.1 and keep-alive towards the server, session pinning in \
                the load balancer (nginx: proxy_http_version 1.1, an empty Connection field, keepalive).
                """
            ),
            .client("Use one URLSession for the whole login, and no Connection: close of your own."),
        ],
        verify: "All three messages of a handshake share one TCP connection.",
        lookAlikes: ["A capture that begins in the middle of the second connection: nothing is proven."],
        supersedes: [
            "ntlm-credential-rejected", "ntlm-login-loop", "ntlm-handshake-abandoned", "challenge-unanswered",
        ],
        sources: ["MS-NTHT §1.3", "RFC 4559 §6"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            connection 2
            > ↓GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """
        ],
        notTriggering: [
            """
            # The second connection began before the capture.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            connection 2 without start
            > GET /b
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            closed by client
            """,
            """
            # The client begins anew and succeeds.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            connection 2
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 401
              WWW-Authenticate: NTLM
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
            """
            # The answer to the split handshake is not in the capture.
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            closed by client
            connection 2
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            """,
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            < 200
            """,
        ],
        samples: ["ntlm-answer-on-new-connection"]
    )

    let needs: ChainTraits = [.splitHandshake]

    func findings(in chain: Chain) -> Outcome {
        let split = chain.exchanges.filter {
            $0.connections.count > 1 && $0.authenticate != nil
                && ($0.outcome == .rejected || $0.outcome == .broken)
                && !chain.isMadeGood(after: $0.lastLeg.transaction)
        }
        guard let first = split.first, let answer = first.authenticate, let challenge = first.ntlmChallenge else {
            return .clear
        }
        let times = split.count == 1 ? "" : ", \(split.count) times in all"
        let message =
            "challenged on connection \(challenge.leg.transaction.connection), answered on connection "
            + "\(answer.leg.transaction.connection)\(times)"
        let transactions = [answer.leg.transaction, challenge.leg.transaction]
        return .found([page.finding(message, at: .request(answer.leg.transaction), in: transactions)])
    }
}
