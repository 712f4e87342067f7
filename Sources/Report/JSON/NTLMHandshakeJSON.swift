import AuthScanSchemes
import AuthScanSessions

/// Writes what the messages of one NTLM handshake show together.
struct NTLMHandshakeJSON {
    let secrets: SecretPolicy

    func write(_ handshake: NTLMHandshake, _ proofs: [Proof], to json: inout JSONWriter) {
        json.object { json in
            json.key("flags")
            json.array(handshake.flagUses) { json, use in
                json.object {
                    $0.member("name", use.name)
                    $0.member("asked", use.asked)
                    $0.member("granted", use.granted)
                    $0.member("used", use.used)
                }
            }
            json.member("remarks", handshake.remarks)
            json.key("proofs")
            json.array(proofs) { ProofJSON(secrets: secrets).write($1, to: &$0) }
        }
    }
}
