import AuthScanSessions
import AuthScanWire

struct TLSClientCertRejected: Rule {
    let page = RulePage(
        id: "tls-client-cert-rejected",
        severity: .error,
        step: .clientCertificate,
        title: "The server refuses the client's certificate",
        what: "The client sends a certificate; the server answers with an alert about it, or with a page that says so.",
        why: """
            The certificate has expired, was revoked, or comes from an issuer that the server does not know, perhaps only \
            because the intermediate certificate was not sent along.
            """,
        fix: [
            .server("Add the issuer to the server's trust store, and look at its log for the exact reason."),
            .client(
                """
                Renew the identity; hand the intermediate certificates over in the certificates argument of \
                URLCredential(identity:certificates:persistence:).
                """
            ),
        ],
        verify: "The handshake ends without an alert from the server.",
        lookAlikes: ["An empty answer to the request: tls-client-cert-empty."],
        supersedes: ["tls-handshake-failure"],
        sources: ["RFC 5246 §7.2.2", "RFC 8446 §6.2"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            > raw 160303000d0b0000090000060000033000ff
            < ↓raw 15030300020230
            closed by server
            """,
            """
            connection 1 to 198.51.100.20:443 over tls with client certificate
            > GET /app
            < ↓400
              body "The SSL certificate error"
            """,
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303000c0d0000080101000204010000
            < raw 16030300040e000000
            > raw 16030300070b000003000000
            < raw 15030300020228
            closed by server
            """
        ]
    )

    let needs: ChainTraits = [.tls]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.tlsConnections.compactMap { tls in
            refusal(of: tls).map { (tls: tls, alert: $0) }
        }
        guard let first = refused.first else { return refusedInWords(in: chain) }
        let reason = first.alert.description.map { "\($0) (\($0.rawValue))" } ?? "an encrypted alert"
        let name = first.tls.clientCertificates.first?.commonName.map { " \"\($0)\"" } ?? ""
        let message = "the server refuses the client's certificate\(name) with \(reason)"
        let connections = chain.connections(of: refused.map(\.tls))
        return .found([page.finding(message, on: connections, packets: refused.map(\.alert.packet))])
    }

    /// The server takes the certificate in the handshake, and its page refuses it.
    private func refusedInWords(in chain: Chain) -> Outcome {
        let refused = chain.entries.map(\.transaction).filter {
            $0.http.response?.certificateNotice == .refused && chain.tlsConnection(of: $0)?.clientCertificate == .sent
        }
        guard let first = refused.first, let status = first.status else { return .clear }
        let name = chain.tlsConnection(of: first)?.clientCertificates.first?.commonName.map { " \"\($0)\"" } ?? ""
        let message = "the server's page, a \(status), says that it refuses the client's certificate\(name)"
        return .found([page.finding(message, at: .response(first), in: refused)])
    }

    /// The server's alert after the client's certificate.
    private func refusal(of tls: TLSConnection) -> TLSAlert? {
        guard tls.clientCertificate == .sent else { return nil }
        return tls.alerts.first { alert in
            alert.from == .server && alert.isRefusal && alert.packet > tls.clientCertificatePacket ?? 0
                && alert.description?.refusesCertificate != false
        }
    }
}
