import AuthScanSessions
import AuthScanWire

struct TLSClientCertUnanswered: Rule {
    let page = RulePage(
        id: "tls-client-cert-unanswered",
        severity: .error,
        step: .clientCertificate,
        title: "The request for a client certificate is never answered",
        what: "The server asks for a certificate; the client sends nothing more, and closes after some seconds.",
        why: """
            The handshake waits for the app: a completion handler that is not called, a key that may not be used, or a \
            picker that nobody sees leaves it hanging until a time-out.
            """,
        fix: [
            .client(
                """
                Call the completion handler of every challenge; with .performDefaultHandling for the methods that the app \
                does not treat.
                """
            )
        ],
        verify: "The client's Certificate message follows the server's request within a second.",
        lookAlikes: ["A person who takes time to choose a certificate, and does."],
        supersedes: ["tls-handshake-failure"],
        sources: ["RFC 5246 §7.4.4", "RFC 5246 §7.4.6"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < ↓raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            wait 60 s
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            closed by client
            """,
            """
            # A person chooses a certificate, and takes time for it.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            wait 20 s
            > raw 160303000d0b000009000006000003300100
            > raw 140303000101
            > raw 1603030010ffffffffffffffffffffffffffffffff
            < raw 140303000101
            < raw 1603030010ffffffffffffffffffffffffffffffff
            > raw 1703030010ffffffffffffffffffffffffffffffff
            < raw 1703030010ffffffffffffffffffffffffffffffff
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.bareConnection]

    /// How long the client must have been silent, in seconds.
    private static let patience = 5.0

    func findings(in chain: Chain) -> Outcome {
        let waiting = chain.bareTLS.filter { tls in
            guard tls.certificateRequest != nil, tls.clientCertificate == nil, tls.finishedPacket == nil else {
                return false
            }
            let connection = chain.context.connection(tls.connection)
            let end = connection.closeTime ?? chain.context.end
            return connection.closedBy?.side != .server && end.seconds(since: connection.firstTime) >= Self.patience
        }
        guard let first = waiting.first, let request = first.certificateRequest else { return .clear }
        let connections = chain.connections(of: waiting)
        if let lacking = Incompleteness(lackingBytesOf: connections) { return .cannotTell(lacking) }
        let message = "the client does not answer the server's request for a certificate in packet \(request.packet)"
        return .found([page.finding(message, on: connections, packets: [request.packet])])
    }
}
