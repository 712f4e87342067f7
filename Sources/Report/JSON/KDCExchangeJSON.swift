import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// Writes what was asked of a key distribution center.
struct KDCExchangeJSON {
    let secrets: SecretPolicy

    func write(_ exchange: KDCExchange, _ proofs: [Proof], to json: inout JSONWriter) {
        json.object { json in
            json.member("number", exchange.number)
            json.member("client", exchange.client.description)
            json.member("server", exchange.server.description)
            json.member("connection", exchange.connection)
            json.member("proxied", exchange.isProxied)
            json.member("clientPrincipal", exchange.clientPrincipal)
            json.member("service", exchange.sname?.text)
            json.member("realm", exchange.realm)
            json.member("etypes", exchange.etypes.map(\.name))
            json.member("ticketEtype", exchange.reply?.ticket.encPart.etype.name)
            json.member("errorCode", exchange.error?.errorCode.rawValue)
            json.member("errorName", exchange.error?.errorCode.name)
            json.key("request")
            write(exchange.request, to: &json)
            json.key("response")
            write(exchange.response, to: &json)
            json.key("proofs")
            json.array(proofs) { ProofJSON(secrets: secrets).write($1, to: &$0) }
        }
    }

    private func write(_ leg: KDCExchange.Leg?, to json: inout JSONWriter) {
        guard let leg else { return json.null() }
        json.object { json in
            json.member("packet", leg.packet)
            json.member("time", leg.time.rfc3339)
            json.member("missingBytes", leg.missingBytes)
            json.member("problem", leg.problem?.description)
            json.key("proxyMessage")
            if let proxied = leg.proxyMessage {
                json.object { json in
                    json.member("targetDomain", proxied.targetDomain)
                    json.member("dclocatorHint", proxied.dclocatorHint)
                }
            } else {
                json.null()
            }
            json.key("message")
            guard let message = leg.message else { return json.null() }
            KerberosJSON(secrets: secrets).write(message, to: &json)
        }
    }
}
