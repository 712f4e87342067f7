import AuthScanBytes
import AuthScanSchemes

/// Writes what Kerberos asks and answers with certificates.
struct PKINITJSON {
    let secrets: SecretPolicy

    func write(_ request: PKASReq, to json: inout JSONWriter) {
        json.object { json in
            write(request.signedAuthPack, to: &json)
            json.key("pkAuthenticator")
            write(request.pkAuthenticator, to: &json)
            json.member("clientPublicValueAlgorithm", request.clientPublicValueAlgorithm?.rawValue)
            json.member("supportedCMSTypes", request.supportedCMSTypes.map(\.rawValue))
            json.member("clientDHNonce", request.clientDHNonce.map { Hex.encode($0) })
            json.member("supportedKDFs", request.supportedKDFs.map(\.rawValue))
            json.key("trustedCertifiers")
            json.array(request.trustedCertifiers) { write($1, to: &$0) }
            json.member("kdcPkId", request.kdcPkId.map { Hex.encode($0) })
        }
    }

    /// One of two forms; the members of the other are null.
    func write(_ reply: PKASRep, to json: inout JSONWriter) {
        json.object { json in
            switch reply {
            case .dhInfo(let info):
                json.key("dhInfo")
                write(info, to: &json)
                json.member("encKeyPack", nil as String?)
            case .encKeyPack(let pack):
                json.key("dhInfo")
                json.null()
                json.member("encKeyPack", secrets.hex(pack))
            }
        }
    }

    private func write(_ info: DHRepInfo, to json: inout JSONWriter) {
        json.object { json in
            write(info.dhSignedData, to: &json)
            json.member("subjectPublicKey", Hex.encode(info.subjectPublicKey))
            json.member("nonce", info.nonce)
            json.member("dhKeyExpiration", info.dhKeyExpiration.map(text))
            json.member("serverDHNonce", info.serverDHNonce.map { Hex.encode($0) })
            json.member("kdf", info.kdf?.rawValue)
        }
    }

    private func write(_ signed: CMSSignedData, to json: inout JSONWriter) {
        json.member("eContentType", signed.eContentType.rawValue)
        json.member("certificates", signed.certificateCount)
        json.member("signers", signed.signerCount)
    }

    private func write(_ authenticator: PKAuthenticator, to json: inout JSONWriter) {
        json.object {
            $0.member("cusec", authenticator.cusec)
            $0.member("ctime", text(authenticator.ctime))
            $0.member("nonce", authenticator.nonce)
            $0.member("paChecksum", authenticator.paChecksum.map { Hex.encode($0) })
            $0.member("freshnessToken", authenticator.freshnessToken.map(secrets.hex))
        }
    }

    private func write(_ certifier: ExternalPrincipalIdentifier, to json: inout JSONWriter) {
        json.object {
            $0.member("subjectName", certifier.subjectName)
            $0.member("issuer", certifier.issuer)
            $0.member("serialNumber", certifier.serialNumber.map { Hex.encode($0) })
            $0.member("subjectKeyIdentifier", certifier.subjectKeyIdentifier.map { Hex.encode($0) })
        }
    }

    private func text(_ time: KerberosTime) -> String {
        CalendarDate.rfc3339(secondsSinceEpoch: time.secondsSinceEpoch)
    }
}
