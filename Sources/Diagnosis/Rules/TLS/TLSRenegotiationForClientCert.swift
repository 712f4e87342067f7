import AuthScanSessions
import AuthScanWire

struct TLSRenegotiationForClientCert: Rule {
    let page = RulePage(
        id: "tls-renegotiation-for-client-cert",
        severity: .error,
        step: .clientCertificate,
        title: "The server asks for another handshake in the middle of a connection, and gets none",
        what: """
            After a request the server sends a handshake message, as servers do that want a client certificate for some \
            paths; the other handshake does not come about, or the request's body does not survive it.
            """,
        why: """
            Many TLS libraries do not renegotiate: they answer no_renegotiation, or end the connection. Where they do, the \
            server has to hold the request's body meanwhile, and refuses one that is too large.
            """,
        fix: [
            .server(
                """
                Ask for the certificate in the first handshake (IIS: "negotiate client certificate" at the binding), and \
                give the paths that need one a host name of their own.
                """
            ),
            .client("Send a small request before a large body, where the server cannot be changed."),
        ],
        verify: "The CertificateRequest is in the first handshake, and no handshake message follows the request.",
        lookAlikes: [
            "A session ticket of TLS 1.3: a handshake message behind the handshake, and in order.",
            "A renegotiation that the client goes along with.",
        ],
        supersedes: ["connection-reset-during-handshake", "server-no-answer", "authenticated-but-forbidden"],
        sources: ["RFC 5246 §7.4.1.1", "RFC 5746 §4", "RFC 9113 §9.2.1"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /secure/report
            < ↓tls HelloRequest
            > tls no_renegotiation
            closed by server
            """,
            """
            # Without keys: a record of type 22 from the server behind the client's data, and the end.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 16030300040e000000
            > raw 140303000101160303002800000000000000000000000000000000000000000000000000000000000000000000000000000000
            < raw 140303000101160303002800000000000000000000000000000000000000000000000000000000000000000000000000000000
            > raw 17030300200000000000000000000000000000000000000000000000000000000000000000
            < ↓raw 160303001c00000000000000000000000000000000000000000000000000000000
            > raw 150303001a0000000000000000000000000000000000000000000000000000
            closed by client
            """,
            """
            connection 1 to 198.51.100.20:443 over tls
            > POST /secure/upload
              body 70000
            < ↓tls HelloRequest
            handshake
            < 413
            """,
        ],
        notTriggering: [
            """
            # The client goes along.
            connection 1 to 198.51.100.20:443 over tls
            > GET /secure/report
            < tls HelloRequest
            handshake
            < 200
            """,
            """
            # The client begins it.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 16030300040e000000
            > raw 140303000101160303002800000000000000000000000000000000000000000000000000000000000000000000000000000000
            < raw 140303000101160303002800000000000000000000000000000000000000000000000000000000000000000000000000000000
            > raw 17030300200000000000000000000000000000000000000000000000000000000000000000
            > raw 160303001c00000000000000000000000000000000000000000000000000000000
            closed by client
            """,
            """
            # The client declines, and is served all the same.
            connection 1 to 198.51.100.20:443 over tls
            > GET /report
            < tls HelloRequest
            > tls no_renegotiation
            < 200
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.tls]

    /// How long the other side must have been silent where the connection stays open, in seconds.
    private static let patience = 5.0

    private struct Failure {
        let tls: TLSConnection
        let packet: Int
        let words: String
        var confidence = Confidence.certain
        /// Whether it is concluded from what is not there.
        var isAbsence = false
    }

    func findings(in chain: Chain) -> Outcome {
        let failures = chain.tlsConnections.compactMap { failure(of: $0, in: chain) }
        guard let first = failures.first else { return .clear }
        let connections = chain.connections(of: failures.map(\.tls))
        if first.isAbsence, let lacking = Incompleteness(lackingBytesOf: connections) { return .cannotTell(lacking) }
        let message = "after the request the server asks for another handshake, and \(first.words)"
        let packets = failures.map(\.packet)
        return .found([page.finding(message, on: connections, packets: packets, confidence: first.confidence)])
    }

    private func failure(of tls: TLSConnection, in chain: Chain) -> Failure? {
        guard let asked = tls.renegotiation, asked.from == .server, asked.isAfterRequest else { return nil }
        let answers = chain.answers(on: tls, after: asked.packet)
        if answers.contains(where: \.isServed) { return nil }
        func failure(_ words: String) -> Failure { Failure(tls: tls, packet: asked.packet, words: words) }
        if asked.finishedPacket != nil {
            let isTooLarge = answers.contains { $0.status == 413 }
            return isTooLarge ? failure("refuses the request's body with 413 behind it") : nil
        }
        if answers.contains(where: { $0.http.response?.certificateNotice == .required }) {
            return failure("its page says that a certificate is required")
        }
        let alerts = tls.alerts.filter { $0.from == .client && $0.packet > asked.packet }
        if alerts.contains(where: { $0.description == .noRenegotiation }) {
            return failure("the client answers no_renegotiation (100)")
        }
        return silence(tls, asked, in: chain)
    }

    /// The other handshake did not come, and nothing else did.
    private func silence(
        _ tls: TLSConnection,
        _ asked: TLSConnection.Renegotiation,
        in chain: Chain
    ) -> Failure? {
        let connection = chain.context.connection(tls.connection)
        let isOver = connection.closedBy != nil || chain.context.end.seconds(since: asked.time) >= Self.patience
        guard isOver, !asked.isFollowedByContent else { return nil }
        let words = connection.closedBy == nil ? "none follows" : "the connection ends without one"
        return Failure(tls: tls, packet: asked.packet, words: words, confidence: .likely, isAbsence: true)
    }
}
