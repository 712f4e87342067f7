import AuthScanSessions
import AuthScanWire

struct TLS13PostHandshakeAuthMissing: Rule {
    let page = RulePage(
        id: "tls13-post-handshake-auth-missing",
        severity: .error,
        step: .clientCertificate,
        title: "The server would ask for a certificate after the handshake, and the client does not offer that",
        what: """
            Over TLS 1.3 a request is refused with 403, and the ClientHello lacks the extension post_handshake_auth, without \
            which the server must not ask for a certificate once the handshake is over.
            """,
        why: """
            A server that wants a certificate for some paths only sees the path when the handshake is over. TLS 1.2 could \
            renegotiate then; TLS 1.3 has post-handshake authentication instead, and browsers and URLSession do not do \
            it.
            """,
        fix: [
            .server(
                "Ask for the certificate in the handshake, for the whole host name; or keep those paths to TLS 1.2."
            ),
            .client("Use a client that offers post_handshake_auth (curl with OpenSSL does); URLSession does not."),
        ],
        verify: "The CertificateRequest is in the handshake, and the path is served.",
        lookAlikes: ["A 403 for want of permission: its page says nothing of certificates."],
        supersedes: ["authenticated-but-forbidden", "tls-client-cert-empty"],
        sources: ["RFC 8446 §4.2.6", "RFC 8446 §4.6.2", "Apache httpd, SSLVerifyClient"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443 over tls1.3
            > GET /secure/report
            < ↓403
              body "Reason: Cannot perform Post-Handshake Authentication."
            """,
            """
            # The same path over TLS 1.2: the server asks by renegotiation.
            connection 1 to 198.51.100.20:443 over tls
            > GET /secure/report
            < tls HelloRequest
            handshake
            < 200
            closed by client
            connection 2 to 198.51.100.20:443 over tls1.3
            > GET /secure/report
            < ↓403
              body 40
            """,
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443 over tls1.3 with post-handshake authentication
            > GET /secure/report
            < 403
              body "Reason: Cannot perform Post-Handshake Authentication."
            """,
            """
            # A certificate was asked for in the handshake, and sent.
            connection 1 to 198.51.100.20:443 over tls1.3 with client certificate
            > GET /secure/report
            < 403
              body 40
            """,
            """
            connection 1 to 198.51.100.20:443 over tls1.3
            > GET /app
              Authorization: Basic {basic alice:secret}
            < 403
              body 40
            """,
        ]
    )

    let needs: ChainTraits = [.forbidden, .tls]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.entries.map(\.transaction).filter { transaction in
            guard transaction.status == 403, let tls = chain.tlsConnection(of: transaction) else { return false }
            return tls.version == .tls13 && tls.certificateRequest == nil
                && tls.clientHello?.offersPostHandshakeAuthentication == false
        }
        let stated = refused.filter { $0.http.response?.certificateNotice == .postHandshakeAuthentication }
        if let first = stated.first {
            let message =
                "the server cannot ask for a certificate after the handshake, as its page says: the ClientHello lacks "
                + "post_handshake_auth"
            return .found([page.finding(message, at: .response(first), in: stated)])
        }
        return inference(from: refused, in: chain)
    }

    /// Where the page says nothing, that the server asks for certificates behind other handshakes speaks for it.
    private func inference(from refused: [Transaction], in chain: Chain) -> Outcome {
        let asking = chain.tlsConnections.first { $0.certificateRequest?.isAfterHandshake == true }
        let bare = refused.filter { transaction in
            let fields = transaction.fields(for: .origin)
            return fields.credentials.isEmpty && fields.challenges.isEmpty
        }
        guard let asking, let first = bare.first else { return .clear }
        let message =
            "a request is refused with 403 on a connection whose ClientHello lacks post_handshake_auth; on connection "
            + "\(asking.connection) the server asks for a certificate after the handshake"
        return .found([page.finding(message, at: .response(first), in: bare, confidence: .likely)])
    }
}
