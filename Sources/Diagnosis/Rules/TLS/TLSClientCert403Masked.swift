import AuthScanSessions
import AuthScanWire

struct TLSClientCert403Masked: Rule {
    let page = RulePage(
        id: "tls-client-cert-403-masked",
        severity: .note,
        title: "A 403 on a connection with a client certificate looks like a missing certificate to the app",
        what: "The client's certificate was sent and accepted; the application behind it answers 403 to a request.",
        why: """
            CFNetwork reports a 403 on such a connection as NSURLErrorClientCertificateRequired (-1206), so that the app \
            sees "requires a client certificate" although it sent one, and neither the status nor the body.
            """,
        fix: [
            .server("Answer with another status than 403 where the certificate is fine and the user may not do this."),
            .client("Take -1206 for a 403 where the certificate was sent, and look for the user's permissions."),
        ],
        verify: "The app gets the application's own status.",
        lookAlikes: [
            "A 403 whose page says that the certificate is missing or refused: the other tls-client-cert rules.",
            "A 403 to a browser: it shows the page.",
        ],
        sources: ["RFC 9110 §15.5.4", "Apple, NSURLErrorClientCertificateRequired"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443 over tls with client certificate
            > GET /api/ping
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
            < 200
            > GET /api/orders
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
            < ↓403
              body 40
            """
        ],
        notTriggering: [
            """
            # A browser shows the page.
            connection 1 to 198.51.100.20:443 over tls with client certificate
            > GET /orders
              User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0
            < 403
              body 40
            """,
            """
            # The certificate itself is refused.
            connection 1 to 198.51.100.20:443 over tls with client certificate
            > GET /api/orders
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
            < 403
              body "HTTP Error 403.16 - Forbidden: the client certificate is untrusted"
            """,
            """
            connection 1 to 198.51.100.20:443 over tls
            > GET /api/orders
              User-Agent: Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0
              Authorization: Basic {basic alice:secret}
            < 403
              body 40
            """,
        ]
    )

    let needs: ChainTraits = [.forbidden, .tls]

    func findings(in chain: Chain) -> Outcome {
        let masked = chain.entries.map(\.transaction).filter { transaction in
            transaction.status == 403 && transaction.http.response?.certificateNotice == nil
                && transaction.userAgent?.contains("CFNetwork/") == true
                && chain.tlsConnection(of: transaction)?.clientCertificate == .sent
        }
        guard let first = masked.first else { return .clear }
        let message =
            "the client's certificate is accepted, and the application answers 403, which the app sees as an error -1206 "
            + "about the certificate"
        return .found([page.finding(message, at: .response(first), in: masked)])
    }
}
