import AuthScanBytes
import AuthScanSchemes

/// Writes SPNEGO tokens and the Kerberos messages in them.
struct NegotiateJSON {
    let secrets: SecretPolicy

    func write(_ token: NegotiateToken, to json: inout JSONWriter) {
        json.object { json in
            switch token {
            case .spnego(let spnego): write(spnego, to: &json)
            case .ntlm: json.member("token", "NTLMSSP")
            case .kerberos(let message):
                json.member("token", message.messageName)
                json.key("kerberos")
                write(message, to: &json)
            case .unknown(let unknown):
                json.member("token", "unknown")
                json.member("mechanism", unknown.mechanism?.description)
                json.member("label", unknown.label)
            }
        }
    }

    private func write(_ token: SPNEGOToken, to json: inout JSONWriter) {
        json.member("token", token.name)
        switch token {
        case .negTokenInit(let initial):
            json.member("mechTypes", initial.mechTypes.map(\.description))
            json.member("reqFlags", initial.reqFlags?.names ?? [])
            json.member("hintName", initial.negHints?.hintName)
            json.member("mechListMIC", initial.mechListMIC.map { Hex.encode($0) })
        case .negTokenResp(let response):
            json.member("negState", response.negState?.name)
            json.member("supportedMech", response.supportedMech?.description)
            json.member("mechListMIC", response.mechListMIC.map { Hex.encode($0) })
        }
        json.key("kerberos")
        if let message = token.inner?.kerberos { write(message, to: &json) } else { json.null() }
        json.key("problems")
        json.array(token.problems + [token.inner?.problem].compactMap { $0 }) { json, problem in
            json.object {
                $0.member("message", problem.description)
                $0.member("offset", problem.offset)
            }
        }
    }

    private func write(_ message: KerberosMessage, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", message.messageName)
            switch message {
            case .apReq(let request):
                json.member("apOptions", request.apOptionNames)
                json.member("realm", request.ticket.realm)
                json.member("sname", request.ticket.sname.text)
                json.key("ticket")
                write(request.ticket.encPart, to: &json)
                json.key("authenticator")
                write(request.authenticator, to: &json)
            case .apRep(let reply):
                json.key("encPart")
                write(reply.encPart, to: &json)
            case .krbError(let error): write(error, to: &json)
            }
        }
    }

    private func write(_ part: EncryptedPart, to json: inout JSONWriter) {
        json.object {
            $0.member("etype", part.etype.rawValue)
            $0.member("etypeName", part.etype.name)
            $0.member("kvno", part.kvno)
            $0.member("cipher", secrets.hex(part.cipher))
        }
    }

    private func write(_ error: KRBError, to json: inout JSONWriter) {
        json.member("errorCode", error.errorCode.rawValue)
        json.member("errorName", error.errorCode.name)
        json.member("meaning", error.errorCode.meaning)
        json.member("stime", error.stime.text)
        json.member("ctime", error.ctime?.text)
        json.member("realm", error.realm)
        json.member("sname", error.sname.text)
        json.member("crealm", error.crealm)
        json.member("cname", error.cname?.text)
        json.member("eText", error.eText)
    }
}
