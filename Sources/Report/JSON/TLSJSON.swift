import AuthScanBytes
import AuthScanWire

/// Writes what the capture shows of a TLS connection.
struct TLSJSON {
    func write(_ json: inout JSONWriter, _ tls: TLSConnection) {
        json.object { json in
            json.member("version", tls.version?.description)
            json.member("cipher", tls.cipherSuite?.description)
            json.member("serverName", tls.clientHello?.serverName)
            json.member("alpn", tls.applicationProtocol)
            json.member("decrypted", tls.isDecrypted)
            json.member("decryption", tls.decryption.rawValue)
            json.member("resumption", tls.resumption?.rawValue)
            json.member("helloRetryPacket", tls.helloRetryPacket)
            json.member("finishedPacket", tls.finishedPacket)
            json.member("renegotiationPacket", tls.renegotiation?.packet)
            json.member("renegotiationFrom", tls.renegotiation?.from.rawValue)
            json.member("renegotiationFinishedPacket", tls.renegotiation?.finishedPacket)
            json.key("clientHello")
            writeHello(tls.clientHello, to: &json)
            json.key("serverCertificates")
            json.array(tls.serverCertificates, write)
            json.member("serverCertificatePacket", tls.serverCertificatePacket)
            json.key("certificateRequest")
            writeRequest(tls.certificateRequest, to: &json)
            json.member("clientCertificate", tls.clientCertificate?.rawValue)
            json.key("clientCertificates")
            json.array(tls.clientCertificates, write)
            json.member("clientCertificatePacket", tls.clientCertificatePacket)
            json.key("alerts")
            json.array(tls.alerts, write)
        }
    }

    private func writeHello(_ hello: ClientHello?, to json: inout JSONWriter) {
        guard let hello else { return json.null() }
        json.object {
            $0.member("packet", hello.packet)
            $0.member("versions", hello.versions.map(\.description))
            $0.member("alpn", hello.protocols)
            $0.member("cipherSuites", hello.cipherSuites.count)
            $0.member("encryptedClientHello", hello.isEncryptedHelloPresent)
        }
    }

    private func writeRequest(_ request: CertificateRequest?, to json: inout JSONWriter) {
        guard let request else { return json.null() }
        json.object {
            $0.member("packet", request.packet)
            $0.member("afterHandshake", request.isAfterHandshake)
            $0.member("authorities", request.authorities)
        }
    }

    private func write(_ json: inout JSONWriter, _ certificate: Certificate) {
        json.object {
            $0.member("subject", certificate.subject)
            $0.member("issuer", certificate.issuer)
            $0.member("dnsNames", certificate.dnsNames)
            $0.member("addresses", certificate.addresses.map(\.description))
            $0.member("notBefore", certificate.notBefore?.rfc3339)
            $0.member("notAfter", certificate.notAfter?.rfc3339)
            $0.member("key", certificate.keyAlgorithm)
            $0.member("keyBits", certificate.keyBits)
            $0.member("curve", certificate.curve)
            $0.member("signature", certificate.signatureAlgorithm)
            $0.member("selfSigned", certificate.isSelfSigned)
            $0.member("authority", certificate.isAuthority)
            $0.member("issuerAddresses", certificate.issuerAddresses)
            $0.member("signedByNext", certificate.isSignedByNext)
            $0.member("sha256", Hex.encode(certificate.fingerprint))
        }
    }

    private func write(_ json: inout JSONWriter, _ alert: TLSAlert) {
        json.object {
            $0.member("from", alert.from.rawValue)
            $0.member("level", alert.isFatal.map { $0 ? "fatal" : "warning" })
            $0.member("description", alert.description?.description)
            $0.member("packet", alert.packet)
            $0.member("duringHandshake", alert.isDuringHandshake)
        }
    }
}

/// Writes what an HTTP/2 connection says beside its transactions.
struct HTTP2JSON {
    func write(_ json: inout JSONWriter, _ http2: HTTP2Connection) {
        json.object { json in
            json.member("lacksHeaderState", http2.lacksHeaderState)
            json.key("resets")
            json.array(http2.resets) { json, reset in
                json.object {
                    $0.member("stream", reset.stream)
                    $0.member("from", reset.from.rawValue)
                    $0.member("code", reset.code.description)
                    $0.member("packet", reset.packet)
                }
            }
            json.key("goAways")
            json.array(http2.goAways) { json, goAway in
                json.object {
                    $0.member("lastStream", goAway.lastStream)
                    $0.member("from", goAway.from.rawValue)
                    $0.member("code", goAway.code.description)
                    $0.member("debugData", goAway.debugData)
                    $0.member("packet", goAway.packet)
                }
            }
        }
    }
}
