import AuthScanSessions
import AuthScanWire

struct HTTP11RequiredNotRetried: Rule {
    let page = RulePage(
        id: "http11-required-not-retried",
        severity: .error,
        step: .handshake,
        title: "The server asks for HTTP/1.1, and the client does not come back with it",
        what: """
            The server ends a request's stream with HTTP_1_1_REQUIRED; in the seconds after it the client makes no \
            connection of HTTP/1.1 to the server.
            """,
        why: """
            What authenticates a connection, such as NTLM or a client certificate asked for late, does not go with the \
            shared connections of HTTP/2. The server says so with this code, and only the client can change over.
            """,
        fix: [
            .client(
                "Repeat the request over HTTP/1.1, as URLSession does; curl --http1.1 never begins with HTTP/2."
            ),
            .server("Switch HTTP/2 off for the site, or ask for the client certificate in the handshake (IIS)."),
        ],
        verify: "The request is on a connection of HTTP/1.1, and has an answer.",
        lookAlikes: [
            "A client that comes back over HTTP/1.1: the right way.", "Another code, such as REFUSED_STREAM or CANCEL.",
        ],
        supersedes: ["server-no-answer", "connection-reset-during-handshake", "ntlm-handshake-abandoned"],
        sources: ["RFC 9113 §7", "RFC 9113 §9.2.1"],
        triggering: [
            """
            connection 1 over http2
            > ↓GET /app
            < raw 0000040300000000010000000D
            end wait 30 s
            """,
            """
            # The whole connection is given up, and the same is tried again.
            connection 1 to 198.51.100.20:443 over tls over http2
            > ↓GET /app
            < raw 000008070000000000000000000000000D
            closed by server
            connection 2 to 198.51.100.20:443 over tls over http2
            > GET /app
            < raw 000008070000000000000000000000000D
            closed by server
            end wait 30 s
            """,
        ],
        notTriggering: [
            """
            # The client comes back over HTTP/1.1.
            connection 1 over http2
            > GET /app
            < raw 0000040300000000010000000D
            connection 2
            > GET /app
            < 401
              WWW-Authenticate: NTLM
            end wait 30 s
            """,
            """
            # REFUSED_STREAM: the client may repeat it as it was.
            connection 1 over http2
            > GET /app
            < raw 00000403000000000100000007
            end wait 30 s
            """,
            """
            # The client may still be about to.
            connection 1 over http2
            > GET /app
            < raw 0000040300000000010000000D
            wait 2 s
            closed by client
            """,
            """
            # What the next connection carries is not readable.
            connection 1 to 198.51.100.20:443 over http2
            > GET /app
            < raw 0000040300000000010000000D
            connection 2 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            end wait 30 s
            """,
        ]
    )

    let needs: ChainTraits = [.unansweredStream]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.entries.lazy.map(\.transaction).filter { chain.http11RequiredPacket(for: $0) != nil }
        guard let first = refused.first else { return .clear }
        let all = Array(refused)
        // What counts is whether the client comes round in the end.
        guard let last = all.last, let packet = chain.http11RequiredPacket(for: last) else { return .clear }
        switch retry(of: last, in: chain) {
        case .made: return .clear
        case .unreadable(let number):
            return .cannotTell(Incompleteness("a later connection is not readable", connections: [number]))
        case .none: break
        }
        guard chain.context.end.seconds(since: last.endTime) >= ClientPatience.seconds else {
            return .cannotTell(Incompleteness("the capture ends too early after HTTP_1_1_REQUIRED"))
        }
        if chain.connection(of: last).isOneSided {
            let reason = "only one side of the connection was captured"
            return .cannotTell(Incompleteness(reason, connections: [last.connection]))
        }
        let times = all.count == 1 ? "" : " \(all.count) times"
        let message =
            "the server asked for HTTP/1.1\(times) (packet \(packet)), and the client did not come back with it"
        return .found([page.finding(message, at: .request(first), in: all, beside: [packet])])
    }

    private enum Retry {
        case none
        case made
        /// A connection with this number may be it.
        case unreadable(Int)
    }

    /// Whether the client came back: with a request over HTTP/1.1 to whatever name of the server, or perhaps unseen.
    private func retry(of transaction: Transaction, in chain: Chain) -> Retry {
        let first = chain.connection(of: transaction)
        let later = chain.context.transactions(of: first.client.address).lazy.filter {
            $0.packet > transaction.packet && $0.http.stream == nil
        }
        let server = first.server
        let origin = transaction.origin
        if later.contains(where: { $0.origin == origin || chain.connection(of: $0).server == server }) { return .made }
        let connections = chain.context.capture.connections[first.number...].lazy.filter { other in
            other.client.address == first.client.address && other.server == server && other.isAccepted
                && other.firstTime.seconds(since: transaction.startTime) <= ClientPatience.seconds
        }
        for other in connections {
            let tls = chain.context.tls(on: other.number)
            if tls?.applicationProtocol == "http/1.1" { return .made }
            if other.applicationProtocol != .http2, tls?.applicationProtocol != "h2" {
                return .unreadable(other.number)
            }
        }
        return .none
    }
}
