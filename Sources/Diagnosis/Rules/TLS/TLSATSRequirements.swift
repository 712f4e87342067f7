import AuthScanSessions
import AuthScanWire

struct TLSATSRequirements: Rule {
    let page = RulePage(
        id: "tls-ats-requirements",
        severity: .error,
        step: .trust,
        title: "The server's TLS does not meet App Transport Security, and the client stops",
        what: "Version, cipher suite or certificate are weaker than App Transport Security asks; the client stops.",
        why: """
            Apps for Apple's systems may only use TLS 1.2 or newer with forward secrecy, and certificates with strong keys \
            and hashes, unless their Info.plist says otherwise. Safari is not bound to that, so the page may well open there.
            """,
        fix: [
            .server("Offer TLS 1.2 or newer with ECDHE suites, and a certificate with SHA-256 and a key of 2048 bits."),
            .client(
                """
                NSExceptionDomains can lift the requirement for one host (NSExceptionMinimumTLSVersion, \
                NSExceptionRequiresForwardSecrecy); it is better not to. nscurl --ats-diagnostics shows what a host lacks.
                """
            ),
        ],
        verify: "nscurl --ats-diagnostics passes with the default settings.",
        lookAlikes: ["An old server that the client accepts: a weakness, and no failure."],
        supersedes: ["tls-handshake-failure"],
        sources: ["Apple, NSAppTransportSecurity"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160301002a020000260301000000000000000000000000000000000000000000000000000000000000000000c01300
            > ↓raw 15030100020246
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            > raw 15030300020228
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.bareConnection]

    func findings(in chain: Chain) -> Outcome {
        let stopped = chain.bareTLS.compactMap { tls in
            stop(of: tls).map { (tls: tls, alert: $0, failures: TransportSecurity(tls).failures) }
        }.filter { !$0.failures.isEmpty }
        guard let first = stopped.first else { return .clear }
        let names = first.failures.map(\.rawValue).joined(separator: ", ")
        let keys = first.failures.compactMap(\.exceptionKey).joined(separator: ", ")
        let message =
            "the client stops at a server without \(names)" + (keys.isEmpty ? "" : " (\(keys) would lift it)")
        let connections = chain.connections(of: stopped.map(\.tls))
        return .found([
            page.finding(message, on: connections, packets: stopped.map(\.alert.packet), confidence: .likely)
        ])
    }

    /// The client's alert, where it is not about trust.
    private func stop(of tls: TLSConnection) -> TLSAlert? {
        guard tls.serverHelloPacket != nil, tls.finishedPacket == nil else { return nil }
        return tls.alerts.first {
            $0.from == .client && $0.isRefusal && $0.isDuringHandshake && $0.description?.refusesCertificate != true
        }
    }
}
