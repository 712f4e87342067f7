import AuthScanSessions
import AuthScanWire

struct TLSClientCertEmpty: Rule {
    let page = RulePage(
        id: "tls-client-cert-empty",
        severity: .error,
        step: .clientCertificate,
        title: "The server asks for a client certificate, and the client has none",
        what: "The client answers the CertificateRequest with an empty list, and the server refuses to go on.",
        why: """
            The server lets nobody in without a certificate of an issuer that it trusts, and the client found none, or was \
            never asked by the app's own code.
            """,
        fix: [
            .client(
                """
                Answer NSURLAuthenticationMethodClientCertificate with URLCredential(identity:certificates:persistence:), \
                in the WKNavigationDelegate, too; the identity must be in the app's own keychain.
                """
            ),
            .server("Name the right issuers in the request; leave it out where certificates are optional."),
        ],
        verify: "The client's Certificate message has a certificate, and the handshake ends well.",
        lookAlikes: ["Optional certificates: an empty answer, and a request that is served all the same."],
        supersedes: ["tls-handshake-failure"],
        sources: ["RFC 5246 §7.4.6", "RFC 8446 §4.4.2"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            > raw 16030300070b000003000000
            < ↓raw 15030300020228
            closed by server
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 15030300020228
            closed by server
            """,
            """
            # The certificate is optional: the request is served without one.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            > raw 16030300070b000003000000
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

    let needs: ChainTraits = [.tls]

    func findings(in chain: Chain) -> Outcome {
        let empty = chain.tlsConnections.filter { $0.clientCertificate == TLSConnection.ClientCertificate.none }
        let refused = empty.compactMap { tls in refusal(after: tls, in: chain).map { (tls: tls, packet: $0) } }
        if let first = refused.first {
            let connection = chain.context.connection(first.tls.connection)
            let message =
                "the server asks for a client certificate, gets none, and refuses connection \(connection.number)"
            let connections = chain.connections(of: refused.map(\.tls))
            return .found([page.finding(message, on: connections, packets: refused.map(\.packet))])
        }
        return probableRefusal(among: empty, in: chain)
    }

    /// The packet in which the server refuses: an alert, or 400 or 403 to the request.
    private func refusal(after tls: TLSConnection, in chain: Chain) -> Int? {
        let answered = tls.clientCertificatePacket ?? 0
        if let alert = tls.alerts.first(where: { $0.from == .server && $0.isRefusal && $0.packet > answered }) {
            return alert.packet
        }
        let refused = chain.entries.lazy.map(\.transaction).first {
            $0.connection == tls.connection && ($0.status == 400 || $0.status == 403) && $0.originFields.isBare
        }
        return refused?.responsePacket
    }

    /// Where the answer is encrypted, a server that closes at once is a hint, and no more.
    private func probableRefusal(among empty: [TLSConnection], in chain: Chain) -> Outcome {
        let closed = chain.connections(of: empty).filter { connection in
            connection.closedBy?.side == .server
                && !chain.entries.contains { $0.transaction.connection == connection.number }
                && (connection.closeTime?.seconds(since: connection.firstTime) ?? .infinity) < 5
        }
        guard let first = closed.first, let packet = first.closePacket else { return .clear }
        let message =
            "the server asks for a client certificate, gets none, and ends connection \(first.number) soon after"
        return .found([
            page.finding(message, on: closed, packets: [packet], severity: .warning, confidence: .possible)
        ])
    }
}

extension AuthenticationFields {
    /// Whether neither credentials nor challenges are there, so that HTTP authentication explains nothing.
    fileprivate var isBare: Bool { credentials.isEmpty && challenges.isEmpty }
}
