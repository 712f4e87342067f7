import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// Writes a transaction with its decoded fields.
struct TransactionJSON {
    let secrets: SecretPolicy
    let places: PacketPlaces

    func write(_ transaction: Transaction, to json: inout JSONWriter) {
        json.object { json in
            json.member("number", transaction.number)
            json.member("connection", transaction.connection)
            json.member("stream", transaction.http.stream)
            json.key("request")
            writeRequest(transaction, to: &json)
            json.key("response")
            writeResponse(transaction, to: &json)
        }
    }

    private func writeRequest(_ transaction: Transaction, to json: inout JSONWriter) {
        guard let request = transaction.request else { return json.null() }
        let token = TokenJSON(secrets: secrets, moment: request.evidence.headTime.seconds)
        json.object { json in
            json.member("packet", request.evidence.headPacket)
            json.placeMembers(of: request.evidence.headPacket, in: places)
            json.member("firstPacket", request.evidence.firstPacket)
            json.member("lastPacket", request.evidence.lastPacket)
            json.member("time", request.evidence.headTime.rfc3339)
            json.member("method", request.method)
            json.member("target", secrets.target(request.target))
            json.member("url", transaction.url.map(secrets.target))
            json.member("version", request.version)
            json.member("userAgent", request.fields.text(of: .userAgent))
            json.key("authorization")
            json.array(transaction.originFields.credentials) { token.write($1, to: &$0) }
            json.key("proxyAuthorization")
            json.array(transaction.proxyFields.credentials) { token.write($1, to: &$0) }
            json.key("sideFields")
            SideFieldsJSON(secrets: secrets, moment: token.moment).write(request.fields, to: &json)
        }
    }

    private func writeResponse(_ transaction: Transaction, to json: inout JSONWriter) {
        guard let response = transaction.response else { return json.null() }
        let token = TokenJSON(secrets: secrets)
        json.object { json in
            json.member("packet", response.evidence.headPacket)
            json.placeMembers(of: response.evidence.headPacket, in: places)
            json.member("firstPacket", response.evidence.firstPacket)
            json.member("lastPacket", response.evidence.lastPacket)
            json.member("time", response.evidence.headTime.rfc3339)
            json.member("status", response.status)
            json.key("challenges")
            json.array(transaction.originFields.challenges) { token.write($1, to: &$0) }
            json.key("proxyChallenges")
            json.array(transaction.proxyFields.challenges) { token.write($1, to: &$0) }
            json.key("sideFields")
            SideFieldsJSON(secrets: secrets).write(response.fields, to: &json)
        }
    }
}

extension Timestamp {
    /// Whole seconds since 1970, rounded towards it.
    fileprivate var seconds: Int { Int(nanoseconds / 1_000_000_000) }
}
