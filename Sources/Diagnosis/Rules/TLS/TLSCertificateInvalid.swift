import AuthScanSessions
import AuthScanWire

struct TLSCertificateInvalid: Rule {
    let page = RulePage(
        id: "tls-certificate-invalid",
        severity: .warning,
        title: "The server's certificate cannot be right for this server at this time",
        what: """
            The certificate that the server shows is out of its time, not for the name that was asked for, or without \
            that of the authority between it and the root.
            """,
        why: """
            A client that checks refuses such a certificate, as App Transport Security demands; one that goes on would \
            also go on with anybody else's. Where the intermediate certificate is missing, clients that fetch it or know \
            it from elsewhere go on, and all others refuse.
            """,
        fix: [
            .server("Renew the certificate, with every name that clients use among its alternative names."),
            .server(
                "Install the whole chain, all but the root (nginx, Apache httpd: one file, the server's own first)."
            ),
            .client(
                """
                The NSURLAuthenticationMethodServerTrust challenge is where it surfaces; never answer it without checking \
                serverTrust.
                """
            ),
        ],
        verify: "The certificate shown is valid today, and for the name in the URL.",
        lookAlikes: [
            "A certificate of a private root: in order, where the devices trust the root.",
            "A lone certificate whose issuer is a root that the devices have, although it says where to fetch it.",
        ],
        sources: ["RFC 5280 §4.1.2.5", "RFC 5280 §4.2.2.1", "RFC 8446 §4.4.2", "RFC 9525 §6.3"],
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
            """,
            """
            # Without that of its issuer, which is to be fetched.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 160303016d0b0001690001660001633082015f30820104a003020102020101300a06082a8648ce3d040302300d310b30
            < raw 0906035504030c024341301e170d3234303130313030303030305a170d3436303130313030303030305a301431123010
            < raw 06035504030c09612e6578616d706c653059301306072a8648ce3d020106082a8648ce3d030107034200049fd0aef1bf
            < raw 97776a79d70b5b9be789463309ba5ce9534dfd06a4a641e706fedceb1976883330916ff4f61ebb09bf2dd0a9104554e4
            < raw 388dec6d27ebb192b4b58da34e304c30140603551d11040d300b8209612e6578616d706c65303406082b060105050701
            < raw 0104283026302406082b060105050730028618687474703a2f2f63612e6578616d706c652f63612e637274300a06082a
            < raw 8648ce3d0403020349003046022100fdcc465d3f259fad97ab68f503ef687262e90484522cc730cfecf82d2feee4e002
            < ↓raw 2100fb236aa82d6ef70c28bd1dbe4ff40bdbfca632f575051854daa8f9cdb530bd43
            > raw 15030300020230
            closed by client
            """,
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
            """,
            """
            # With that of its issuer.
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 16030302900b00028c0002890001633082015f30820104a003020102020101300a06082a8648ce3d040302300d310b30
            < raw 0906035504030c024341301e170d3234303130313030303030305a170d3436303130313030303030305a301431123010
            < raw 06035504030c09612e6578616d706c653059301306072a8648ce3d020106082a8648ce3d030107034200049fd0aef1bf
            < raw 97776a79d70b5b9be789463309ba5ce9534dfd06a4a641e706fedceb1976883330916ff4f61ebb09bf2dd0a9104554e4
            < raw 388dec6d27ebb192b4b58da34e304c30140603551d11040d300b8209612e6578616d706c65303406082b060105050701
            < raw 0104283026302406082b060105050730028618687474703a2f2f63612e6578616d706c652f63612e637274300a06082a
            < raw 8648ce3d0403020349003046022100fdcc465d3f259fad97ab68f503ef687262e90484522cc730cfecf82d2feee4e002
            < raw 2100fb236aa82d6ef70c28bd1dbe4ff40bdbfca632f575051854daa8f9cdb530bd430001203082011c3081c4a0030201
            < raw 02020101300a06082a8648ce3d040302300f310d300b06035504030c04526f6f74301e170d3234303130313030303030
            < raw 305a170d3436303130313030303030305a300d310b300906035504030c0243413059301306072a8648ce3d020106082a
            < raw 8648ce3d030107034200043b5486e7bdd280f0c1138b7531c1e414dacc33cc4ee8ea2f29615528ce26085d510f44c8ab
            < raw 9338fe8922ea531914df76ad210ffce51b5342e8f625be5670277ca3133011300f0603551d130101ff040530030101ff
            < raw 300a06082a8648ce3d0403020347003044022027deecdb76060b80b195c8cf45815bc61ddefbc22548fae3aa03164234
            < raw 0264cf0220453770129ed00431b8723dc35b9549fb26fdf34af3269eb8cecf6fb7d78b3150
            > raw 15030300020230
            closed by client
            """,
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
        let connections = chain.connections(of: invalid.map(\.tls))
        let packets = invalid.compactMap(\.tls.serverCertificatePacket)
        return .found([
            page.finding(
                "the certificate \(name) \(first.fault.words)",
                on: connections,
                packets: packets,
                confidence: first.fault.confidence
            )
        ])
    }
}

extension Certificate.Fault {
    /// How sure it is that clients have a reason to refuse: a missing issuer may be a root that they have.
    fileprivate var confidence: Confidence {
        if case .issuerMissing = self { .likely } else { .certain }
    }

    /// The fault as the end of a sentence about the certificate.
    fileprivate var words: String {
        switch self {
        case .expired: "had expired when it was shown"
        case .notYetValid: "was not valid yet when it was shown"
        case .otherHost(let host): "is not for the name \"\(host)\" that the client asks for"
        case .issuerMissing(let issuer):
            "came without that of its issuer \"\(issuer)\", which a client has to fetch, unless it is a root that it has"
        }
    }
}
