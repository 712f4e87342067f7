import AuthScanSessions
import AuthScanWire

struct TLSHandshakeFailure: Rule {
    let page = RulePage(
        id: "tls-handshake-failure",
        severity: .error,
        step: .connect,
        title: "TLS client and server find nothing in common",
        what: "The handshake ends with a fatal alert before any certificate was judged.",
        why: """
            No version, cipher suite or server name suits both sides. The alert says which side gave up, and roughly why.
            """,
        fix: [
            .server("Offer TLS 1.2 or newer with ECDHE suites, and a certificate for every name asked for (SNI)."),
            .client("Correct the host name of the URL; NSURLErrorSecureConnectionFailed (-1200) is what the app sees."),
        ],
        verify: "The ClientHello is answered with a ServerHello, and the handshake goes on.",
        lookAlikes: ["A refusal of the client's certificate.", "A fallback that succeeds."],
        sources: ["RFC 8446 §6.2", "RFC 6066 §3"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < ↓raw 15030300020228
            closed by server
            """,
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < ↓raw 15030100020246
            closed by server
            """,
        ],
        notTriggering: [
            """
            # The client comes back with something else at once, and is taken.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 15030300020228
            closed by server
            connection 2 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 140303000101160303002800000000000000000000000000000000000000000000000000000000000000000000000000000000
            > raw 140303000101160303002800000000000000000000000000000000000000000000000000000000000000000000000000000000
            """,
            """
            # The client does not trust the certificate.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            > raw 15030300020230
            closed by client
            """,
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 15030300020100
            closed by server
            """,
        ]
    )

    let needs: ChainTraits = [.bareConnection]

    /// How soon another try with other parameters makes a failure good, in seconds.
    private static let window = 2.0

    func findings(in chain: Chain) -> Outcome {
        let failed = chain.bareTLS.compactMap { tls in decisiveAlert(of: tls).map { (tls: tls, alert: $0) } }
            .filter { !chain.isReplaced(chain.context.connection($0.tls.connection), within: Self.window) }
        guard let first = failed.first, let description = first.alert.description else { return .clear }
        let who = first.alert.from == .server ? "the server" : "the client"
        let offered = first.tls.clientHello?.versions.first.map { " to a hello for \($0)" } ?? ""
        let message = "\(who) ends the handshake with \(description) (\(description.rawValue))\(offered)"
        let connections = chain.connections(of: failed.map(\.tls))
        return .found([page.finding(message, on: connections, packets: failed.map(\.alert.packet))])
    }

    /// The alert that ends a handshake for want of something in common: before certificates were shown, or about itself.
    private func decisiveAlert(of tls: TLSConnection) -> TLSAlert? {
        // Without a hello there was no handshake to fail.
        guard tls.clientHello != nil, tls.certificateRequest == nil else { return nil }
        return tls.alerts.first { alert in
            guard alert.isRefusal, alert.isDuringHandshake, let description = alert.description else { return false }
            if alert.from == .client, description.refusesCertificate { return false }
            return tls.serverHelloPacket == nil || !description.refusesCertificate
        }
    }
}
