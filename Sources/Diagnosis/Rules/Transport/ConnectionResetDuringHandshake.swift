import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

struct ConnectionResetDuringHandshake: Rule {
    let page = RulePage(
        id: "connection-reset-during-handshake",
        severity: .error,
        step: .handshake,
        title: "The connection is cut while authentication is under way",
        what: "The other side ends the connection after a request with credentials, without a byte of an answer.",
        why: """
            The credential was never judged: whatever cut the connection, a crash, a filter, a limit or a time-out, did so \
            before the server could answer. A client sees a lost connection, not a wrong password.
            """,
        fix: [
            .server(
                """
                Look into the server's log and crash reports at that second; a module that cannot read the token is the \
                usual culprit.
                """
            ),
            .network("Look for a filter or load balancer that resets requests with a large or unknown Authorization."),
            .client("Treat NSURLErrorNetworkConnectionLost (-1005) as what it is: do not ask for another password."),
        ],
        verify: "Every request with credentials gets an answer, be it a refusal.",
        lookAlikes: [
            "A close between challenge and answer: ntlm-conn-closed-after-challenge.",
            "A connection that dies while idle, and a request that is repeated and answered on the next one.",
        ],
        sources: ["RFC 9112 §9.3", "RFC 9293 §3.5.2"],
        triggering: [
            """
            connection 1
            > GET /app
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
            > GET /app
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP}
            ↓reset by server
            """,
            """
            connection 1
            > GET /app
              Authorization: Negotiate {SPNEGO init mech=NTLM token={NEGOTIATE_MESSAGE}}
            ↓closed by server
            """,
        ],
        notTriggering: [
            """
            # The client gives up.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            reset by client
            """,
            """
            # An idle connection dies; the request is repeated and answered.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            reset by server
            connection 2
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 200
            """,
            """
            # The answer may be among the bytes that the capture lacks.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            lost <
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by server
            """,
            """
            # After a complete answer it is an ordinary close.
            connection 1
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by server
            """,
        ]
    )

    let needs: ChainTraits = [.unfinished]

    func findings(in chain: Chain) -> Outcome {
        let cut = chain.exchanges.filter { exchange in
            exchange.outcome == .broken && exchange.lastLeg.transaction.response == nil
                && chain.connection(of: exchange.lastLeg.transaction).closedBy?.side == .server
                && !chain.isDecidedLater(than: exchange.lastLeg.transaction)
        }
        guard let first = cut.first else { return .clear }
        let transaction = first.lastLeg.transaction
        let connection = chain.connection(of: transaction)
        guard let packet = connection.closePacket else { return .clear }
        let verb = connection.closedBy == .serverReset ? "reset" : "closed"
        let times = cut.count == 1 ? "" : ", \(cut.count) times in all"
        let message =
            "the server \(verb) connection \(connection.number) after \(first.lastLeg.name), without an answer"
        return .found([page.finding(message + times, at: .packet(packet), in: cut.map(\.lastLeg.transaction))])
    }
}
