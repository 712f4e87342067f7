import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// Writes a try to authenticate, with what its NTLM messages show together.
struct ExchangeJSON {
    let secrets: SecretPolicy

    func write(_ exchange: AuthenticationExchange, _ proof: ExchangeProof?, to json: inout JSONWriter) {
        json.object { json in
            json.member("number", exchange.number)
            json.member("space", exchange.space)
            json.member("client", exchange.client.description)
            json.member("scheme", exchange.scheme.rawValue)
            json.member("connections", exchange.connections)
            json.member("transactions", exchange.transactions.map(\.number))
            json.member("user", exchange.user)
            json.member("domain", exchange.domain)
            json.member("workstation", exchange.workstation)
            json.member("outcome", exchange.outcome.rawValue)
            json.member("channelBinding", exchange.channelBinding?.rawValue)
            json.key("ntlm")
            write(exchange.ntlmHandshake, to: &json)
            json.key("proof")
            write(proof, to: &json)
        }
    }

    private func write(_ proof: ExchangeProof?, to json: inout JSONWriter) {
        guard let proof else { return json.null() }
        json.object { json in
            json.member("conclusion", proof.conclusion.rawValue)
            json.key("proofs")
            json.array(proof.proofs) { ProofJSON(secrets: secrets).write($1, to: &$0) }
        }
    }

    /// The bits that were asked for, granted and used; their names stand with the messages.
    private func write(_ handshake: NTLMHandshake?, to json: inout JSONWriter) {
        guard let handshake else { return json.null() }
        json.object {
            $0.member("asked", handshake.negotiate.map { "0x" + Hex.encode($0.flags.rawValue) })
            $0.member("granted", handshake.challenge.map { "0x" + Hex.encode($0.flags.rawValue) })
            $0.member("used", handshake.authenticate?.flags.map { "0x" + Hex.encode($0.rawValue) })
            $0.member("remarks", handshake.remarks)
        }
    }
}
