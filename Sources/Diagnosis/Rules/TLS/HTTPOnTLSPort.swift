import AuthScanSessions
import AuthScanWire

struct HTTPOnTLSPort: Rule {
    let page = RulePage(
        id: "http-on-tls-port",
        severity: .error,
        step: .connect,
        title: "TLS is spoken to a server that does not speak it",
        what: "A ClientHello is answered with something that is no TLS, such as a page or a status line.",
        why: "The URL says https, and the port belongs to a plain HTTP server: the two never understand each other.",
        fix: [
            .client("Correct the scheme or the port of the URL."),
            .server("Switch TLS on for this port (nginx: listen 443 ssl; IIS: a binding of type https)."),
        ],
        verify: "The ClientHello is answered with a ServerHello.",
        lookAlikes: ["A TLS alert in answer: the server speaks TLS, and refuses the hello."],
        supersedes: ["tls-handshake-failure"],
        sources: ["RFC 8446 §5.1", "RFC 9110 §4.2.2"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > ↓raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 485454502f312e3120343030204261642052657175657374
            closed by server
            """
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
}
