import AuthScanBytes
import AuthScanSchemes

/// Writes SPNEGO tokens; the NTLM or Kerberos messages in them are written beside.
struct NegotiateJSON {
    func write(_ token: NegotiateToken, to json: inout JSONWriter) {
        json.object { json in
            switch token {
            case .spnego(let spnego): write(spnego, to: &json)
            case .ntlm(let message):
                json.member("kind", "ntlm")
                json.member("token", message.messageName)
            case .kerberos(let message):
                json.member("kind", "kerberos")
                json.member("token", message.messageName)
            case .unknown(let unknown):
                json.member("kind", "unknown")
                json.member("token", nil as String?)
                json.member("mechanism", unknown.mechanism?.description)
                json.member("label", unknown.label)
            }
        }
    }

    private func write(_ token: SPNEGOToken, to json: inout JSONWriter) {
        json.member("kind", "spnego")
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
        json.member("inner", token.inner.flatMap { name(of: $0.content) })
        json.key("problems")
        json.array(token.problems + [token.inner?.problem].compactMap { $0 }) { json, problem in
            json.object {
                $0.member("message", problem.description)
                $0.member("offset", problem.offset)
            }
        }
    }

    private func name(of content: MechanismToken.Content) -> String? {
        switch content {
        case .ntlm(let message): message.messageName
        case .kerberos(let message): message.messageName
        case .unknown(let token): token.label ?? token.mechanism?.description
        }
    }
}
