import AuthScanSessions
import AuthScanWire

struct TLSInterceptionUntrusted: Rule {
    let page = RulePage(
        id: "tls-interception-untrusted",
        severity: .error,
        step: .trust,
        title: "A TLS inspection signs the certificate, and the client does not trust it",
        what: "The certificate's issuer names a product that inspects TLS, and the client refuses the certificate.",
        why: """
            The inspection opens the connection in the office's network, and shows certificates of its own making. An app \
            that has a trust store of its own, or pins certificates, refuses them; the browser, with the root installed, \
            does not.
            """,
        fix: [
            .network("Distribute the inspection's root with a configuration profile, or exempt the app's hosts."),
            .client("Use the system's trust instead of a store of the app's own; URLSession does so by itself."),
        ],
        verify: "The certificate's issuer is the server's own, or the client goes on with that of the inspection.",
        lookAlikes: ["A server with a private root of its own: tls-server-untrusted."],
        supersedes: ["tls-server-untrusted"],
        sources: ["RFC 8446 §6.2"],
        triggering: [
            """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f
            > raw 0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            < raw 16030301560b00015200014f00014c308201483081f0a003020102020101300a06082a8648ce3d040302302f31153013
            < raw 060355040a0c0c5a7363616c657220496e632e3116301406035504030c0d496e7370656374696f6e204341301e170d32
            < raw 34303130313030303030305a170d3436303130313030303030305a30143112301006035504030c09612e6578616d706c
            < raw 653059301306072a8648ce3d020106082a8648ce3d030107034200047bfe4148c7f8e1beb0fdb3cb14757966645821db
            < raw 70c6fddf216733965086e412fb7d4f13882fb7f1f5d0ee99dc8f55db30c6b8d42720a1658add1b4b2b096e65a3183016
            < raw 30140603551d11040d300b8209612e6578616d706c65300a06082a8648ce3d040302034700304402200caef3886eb817
            < raw 0131dbb6e660f88712106fc1732ed54ff8984fc9942c0c652c02204a8526d4c9a84e00c542f7942eac84eddaacf5cd54
            < raw 85f5914b1ea6daa2f54ca7
            > ↓raw 15030300020230
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

    let needs: ChainTraits = [.bareConnection]

    /// What the issuers of inspected certificates are called.
    private static let products = [
        "zscaler", "blue coat", "netskope", "fortinet", "fortigate", "palo alto networks", "cisco umbrella", "sophos",
        "check point", "forcepoint", "mcafee web gateway", "skyhigh", "menlo security", "iboss", "barracuda",
        "smoothwall",
    ]

    func findings(in chain: Chain) -> Outcome {
        let refused = chain.bareTLS.compactMap { tls -> (tls: TLSConnection, alert: TLSAlert, issuer: String)? in
            let alert = tls.alerts.first { $0.from == .client && $0.description?.refusesCertificate == true }
            guard let alert, let issuer = inspector(of: tls) else { return nil }
            return (tls, alert, issuer)
        }
        guard let first = refused.first else { return .clear }
        let message = "the client refuses a certificate that a TLS inspection made: its issuer is \"\(first.issuer)\""
        let connections = chain.connections(of: refused.map(\.tls))
        return .found([page.finding(message, on: connections, packets: refused.map(\.alert.packet))])
    }

    /// The issuer of one of the server's certificates, where it names a product that inspects TLS.
    private func inspector(of tls: TLSConnection) -> String? {
        tls.serverCertificates.lazy.map(\.issuer).first { issuer in
            let name = issuer.lowercased()
            return Self.products.contains { name.contains($0) }
        }
    }
}
