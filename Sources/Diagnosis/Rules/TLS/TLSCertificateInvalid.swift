import AuthScanSessions
import AuthScanWire

struct TLSCertificateInvalid: Rule {
    let page = RulePage(
        id: "tls-certificate-invalid",
        severity: .warning,
        title: "The server's certificate cannot be right for this server at this time",
        what: "The certificate that the server shows is out of its time, or not for the name that was asked for.",
        why: """
            A client that checks refuses such a certificate, as App Transport Security demands; one that goes on would \
            also go on with anybody else's.
            """,
        fix: [
            .server("Renew the certificate, with every name that clients use among its alternative names."),
            .client(
                """
                The NSURLAuthenticationMethodServerTrust challenge is where it surfaces; never answer it without checking \
                serverTrust.
                """
            ),
        ],
        verify: "The certificate shown is valid today, and for the name in the URL.",
        lookAlikes: ["A certificate of a private root: in order, where the devices trust the root."],
        sources: ["RFC 5280 §4.1.2.5", "RFC 9525 §6.3"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303013c0b0001380001350001323082012e3081d5a003020102020101300a06082a8648ce3d040302301431123010
            < raw 06035504030c09612e6578616d706c65301e170d3234303130313030303030305a170d3235303130313030303030305a
            < raw 30143112301006035504030c09612e6578616d706c653059301306072a8648ce3d020106082a8648ce3d030107034200
            < raw 04748c18ef748c940b287247ff9449c39932ba5e8912f59d1f46a8631c75449cf546160949a8769c0b846771073d5e7d
            < raw c902fdad35fd06296baabf311faf3fda6ea318301630140603551d11040d300b8209612e6578616d706c65300a06082a
            < raw 8648ce3d0403020348003045022100bd5d895a9e025bd350a83e2776671f6d7570e07a784b364780742ec212200c5802
            < ↓raw 2022a5467b1dde5b45ccf5e1affad510c630e76665e74f116ebe8a92f864fcec9b
            > raw 1503030002022d
            closed by client
            """
        ],
        notTriggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303013c0b0001380001350001323082012e3081d5a003020102020101300a06082a8648ce3d040302301431123010
            < raw 06035504030c09612e6578616d706c65301e170d3234303130313030303030305a170d3436303130313030303030305a
            < raw 30143112301006035504030c09612e6578616d706c653059301306072a8648ce3d020106082a8648ce3d030107034200
            < raw 04b00493bd2b33555a22cc9a4b47cbcad41966ed9b27775f9c58a5fc9d2642610bd368fbf6070c5a47f4630a93db7324
            < raw 3c4823bd71d50936dd2d7d8703c2b6da17a318301630140603551d11040d300b8209612e6578616d706c65300a06082a
            < raw 8648ce3d040302034800304502204caac8d95e22af5687d056f76f512060ba4cff33588b5ca1bb2bcf2ad440bbc30221
            < raw 00a5bcc667291b2949dce82bd391c5d496ef56874317ca6bc92c9bf9fe24ca5c40
            > raw 15030300020230
            closed by client
            """
        ]
    )

    let needs: ChainTraits = [.tls]

    func findings(in chain: Chain) -> Outcome {
        let invalid = chain.tlsConnections.compactMap { tls in
            let shown = chain.context.connection(tls.connection).firstTime
            return tls.serverCertificateFault(at: shown).map { (tls: tls, fault: $0) }
        }
        guard let first = invalid.first else { return .clear }
        let name = first.tls.serverCertificate?.commonName.map { "\"\($0)\"" } ?? "without a name"
        let connections = invalid.map { chain.context.connection($0.tls.connection) }
        let packets = invalid.compactMap(\.tls.serverCertificatePacket)
        return .found([page.finding("the certificate \(name) \(first.fault.words)", on: connections, packets: packets)])
    }
}

extension Certificate.Fault {
    /// The fault as the end of a sentence about the certificate.
    fileprivate var words: String {
        switch self {
        case .expired: "had expired when it was shown"
        case .notYetValid: "was not valid yet when it was shown"
        case .otherHost(let host): "is not for the name \"\(host)\" that the client asks for"
        }
    }
}
