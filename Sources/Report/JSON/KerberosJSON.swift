import AuthScanSchemes

/// Writes Kerberos messages; all have the same members, null where a message has no such field.
struct KerberosJSON {
    let secrets: SecretPolicy

    func write(_ message: KerberosMessage, to json: inout JSONWriter) {
        let ticket = message.apReq?.ticket
        let error = message.krbError
        let encrypted = ticket?.encPart ?? message.apRep?.encPart
        json.object { json in
            json.member("message", message.messageName)
            json.member("realm", ticket?.realm ?? error?.realm)
            json.member("sname", (ticket?.sname ?? error?.sname)?.text)
            json.member("snameType", (ticket?.sname ?? error?.sname)?.nameTypeName)
            json.member("etype", encrypted?.etype.rawValue)
            json.member("etypeName", encrypted?.etype.name)
            json.member("kvno", encrypted?.kvno)
            json.member("cipher", encrypted.map { secrets.hex($0.cipher) })
            json.member("apOptions", message.apReq?.apOptionNames ?? [])
            json.key("authenticator")
            write(message.apReq?.authenticator, to: &json)
            json.key("error")
            write(error, to: &json)
        }
    }

    private func write(_ part: EncryptedPart?, to json: inout JSONWriter) {
        guard let part else { return json.null() }
        json.object {
            $0.member("etype", part.etype.rawValue)
            $0.member("etypeName", part.etype.name)
            $0.member("kvno", part.kvno)
            $0.member("cipher", secrets.hex(part.cipher))
        }
    }

    private func write(_ error: KRBError?, to json: inout JSONWriter) {
        guard let error else { return json.null() }
        json.object {
            $0.member("code", error.errorCode.rawValue)
            $0.member("name", error.errorCode.name)
            $0.member("meaning", error.errorCode.meaning)
            $0.member("text", error.eText)
            $0.member("serverTime", text(error.stime))
            $0.member("clientTime", error.ctime.map(text))
            $0.member("crealm", error.crealm)
            $0.member("cname", error.cname?.text)
        }
    }

    private func text(_ time: KerberosTime) -> String {
        CalendarDate.rfc3339(secondsSinceEpoch: time.secondsSinceEpoch)
    }
}
