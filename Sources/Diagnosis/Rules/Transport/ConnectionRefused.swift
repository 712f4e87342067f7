import AuthScanSessions
import AuthScanWire

struct ConnectionRefused: Rule {
    let page = RulePage(
        id: "connection-refused",
        severity: .error,
        step: .connect,
        title: "The server refuses the TCP connection",
        what: "The client's SYN is answered with RST, and no later try succeeds.",
        why: """
            Nothing listens at this address and port, or a filter says so. It is no failure of authentication: not a byte \
            of HTTP was exchanged.
            """,
        fix: [
            .server("Start the service, or let it listen on the address and port that the URL names."),
            .network("Look for a filter that rejects the connection."),
            .client("Correct the URL's host or port; NSURLErrorCannotConnectToHost (-1004) is what the app sees."),
        ],
        verify: "The SYN is answered with SYN and ACK.",
        lookAlikes: [
            "One of several addresses of a name that refuses, while another one answers at once.",
            "A client that tries many ports or hosts: a scan.",
        ],
        sources: ["RFC 9293 §3.5.2"],
        triggering: [
            """
            ↓connection 1 refused
            """,
            """
            ↓connection 1 refused
            wait 1 s
            connection 2 refused
            """,
        ],
        notTriggering: [
            """
            connection 1 refused
            wait 1 s
            connection 2
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by client
            """,
            """
            connection 1 unanswered
            """,
            """
            # The name has two addresses, and the other one answers.
            connection 1 to 198.51.100.20:80 refused
            connection 2 to 198.51.100.21:80
            > GET /app
            < 401
              WWW-Authenticate: Basic realm="intranet"
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.bareConnection]

    /// How soon a later connection makes a refusal good, in seconds.
    private static let window = 60.0

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.session.bareConnections.map(chain.context.connection).filter(\.isRefused)
        guard let first = refused.first, let last = refused.last, !chain.isReplaced(last, within: Self.window),
            !isAnsweredElsewhere(last, in: chain.context.capture)
        else { return .clear }
        let times = refused.count == 1 ? "" : ", \(refused.count) times in all"
        let message = "\(first.server) answers the SYN with RST: nothing listens there, or a filter rejects it\(times)"
        return .found([page.finding(message, on: refused, packets: refused.map(\.firstPacket))])
    }

    /// Whether another address took the client in at once, as where a name has several (RFC 8305): on the same port, since
    /// the client's own address may be another one, too.
    private func isAnsweredElsewhere(_ refused: Connection, in capture: WireCapture) -> Bool {
        capture.connections[refused.number...].prefix(16).contains { other in
            other.isAccepted && other.server.port == refused.server.port
                && other.firstTime.seconds(since: refused.firstTime) < 2
        }
    }
}
