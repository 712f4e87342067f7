import AuthScanSessions
import AuthScanWire

struct HTTPOnTLSPort: Rule {
    let page = RulePage(
        id: "http-on-tls-port",
        severity: .error,
        step: .connect,
        title: "One side speaks TLS, and the other plain HTTP",
        what: """
            A ClientHello is answered with something that is no TLS, such as a page or a status line; or a request in clear is \
            answered with a record of TLS, mostly an alert.
            """,
        why: """
            The scheme of the URL and what listens at its port do not fit: https meets a plain HTTP server, or http one that \
            expects TLS. The two never understand each other.
            """,
        fix: [
            .client("Correct the scheme or the port of the URL."),
            .server("Switch TLS on for this port (nginx: listen 443 ssl; IIS: a binding of type https)."),
        ],
        verify: "The ClientHello is answered with a ServerHello, and a request in clear with a response.",
        lookAlikes: ["A TLS alert in answer: the server speaks TLS, and refuses the hello."],
        supersedes: ["tls-handshake-failure", "connection-reset-during-handshake"],
        sources: ["RFC 8446 §5.1", "RFC 9110 §4.2.2"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > ↓raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 485454502f312e3120343030204261642052657175657374
            closed by server
            """,
            """
            # The other way round.
            connection 1 to 198.51.100.20:443
            > GET /app
              Authorization: Basic {basic alice:secret}
            < ↓raw 15030100020246
            closed by server
            """,
            """
            # Nobody need try to log in.
            connection 1 to 198.51.100.20:443
            > GET /app
            < ↓raw 15030100020246
            closed by server
            """,
        ],
        notTriggering: [
            """
            # The server's first record is cut.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303100002000026030300
            """,
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 15030300020228
            closed by server
            """,
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            closed by server
            """,
        ]
    )

    let needs: ChainTraits = [.bareConnection]

    func findings(in chain: Chain) -> Outcome {
        if let finding = plainRequest(in: chain) { return .found([finding]) }
        let mismatched = chain.bareTLS.filter { tls in
            tls.clientHello != nil && !tls.hasServerRecords && tls.alerts.isEmpty
                && chain.context.connection(tls.connection).bytesFromServer > 0
        }
        let connections = chain.connections(of: mismatched)
        guard let first = connections.first else { return .clear }
        if let lacking = Incompleteness(lackingBytesOf: connections) { return .cannotTell(lacking) }
        let packets = mismatched.map { $0.clientHello?.packet ?? $0.firstPacket }
        let message = "the ClientHello to \(first.server) is answered with something that is no TLS"
        return .found([page.finding(message, on: connections, packets: packets)])
    }

    /// A request in clear that is answered with TLS; `nil` where there is none.
    private func plainRequest(in chain: Chain) -> Finding? {
        // TLS without a hello has an origin of http only where such a request names it.
        guard chain.space.origin.scheme == "http" else { return nil }
        let answered = chain.bareTLS.filter(\.lacksHello)
        guard let first = answered.first else { return nil }
        let connections = chain.connections(of: answered)
        let numbers = Set(answered.map(\.connection))
        let requests = chain.entries.map(\.transaction).filter { transaction in
            numbers.contains(transaction.connection) && !transaction.isSecure && transaction.status == nil
        }
        let alert = first.alerts.first { $0.from == .server }
        let named = alert?.description.map { ", the alert \($0)" } ?? ""
        let message = "the request in clear to \(connections[0].server) is answered with TLS\(named)"
        let packet = alert?.packet ?? first.firstPacket
        guard requests.isEmpty else { return page.finding(message, at: .packet(packet), in: requests) }
        // What asks for no login is in no session: this one then consists of the connections.
        return chain.entries.isEmpty ? page.finding(message, on: connections, packets: [packet]) : nil
    }
}
