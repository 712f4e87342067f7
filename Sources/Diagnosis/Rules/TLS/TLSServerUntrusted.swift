import AuthScanSessions
import AuthScanWire

struct TLSServerUntrusted: Rule {
    let page = RulePage(
        id: "tls-server-untrusted",
        severity: .error,
        step: .trust,
        title: "The client does not trust the server's certificate",
        what: "The client ends the handshake with an alert about the server's certificate; no request is ever sent.",
        why: """
            The certificate's issuer is not among those that the client trusts, or its names or dates do not fit. It is no \
            matter of passwords: HTTP authentication never begins.
            """,
        fix: [
            .server("Send the whole chain, with a certificate for this name that has not expired."),
            .client(
                """
                Install the private root on the device and switch full trust on for it; or evaluate serverTrust in the \
                NSURLAuthenticationMethodServerTrust challenge. Never switch the check off.
                """
            ),
            .network("Where a TLS inspection signs the certificates, distribute its root, or exempt the host."),
        ],
        verify: "The handshake ends without an alert, and a request follows.",
        lookAlikes: ["A refusal by the server: the tls-client-cert rules."],
        explains: ["tls-certificate-invalid"],
        sources: ["RFC 8446 §6.2", "RFC 5280 §6"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            > ↓raw 15030300020230
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 15030300020228
            closed by server
            """,
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            > raw 15030300020100
            closed by client
            """,
        ]
    )

    let needs: ChainTraits = [.bareConnection]

    /// How soon another connection that is used makes a refusal good, in seconds: the user may have agreed.
    private static let window = 60.0

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.bareTLS.compactMap { tls in
            tls.alerts.first { $0.from == .client && $0.description?.refusesCertificate == true && $0.isRefusal }
                .map { (tls: tls, alert: $0) }
        }
        guard let first = refused.first, let last = refused.last, let description = first.alert.description else {
            return .clear
        }
        let isMended = chain.isReplaced(chain.context.connection(last.tls.connection), within: Self.window)
        let name = first.tls.serverCertificate?.commonName.map { " \"\($0)\"" } ?? ""
        let times = refused.count == 1 ? "" : ", \(refused.count) times in all"
        let message =
            "the client refuses the server's certificate\(name) with \(description) (\(description.rawValue))\(times)"
        let connections = chain.connections(of: refused.map(\.tls))
        return .found([
            page.finding(
                message,
                on: connections,
                packets: refused.map(\.alert.packet),
                severity: isMended ? .warning : .error
            )
        ])
    }
}
