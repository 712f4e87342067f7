import AuthScanBytes
import AuthScanSchemes

/// Writes SPNEGO tokens in wire order; the NTLM or Kerberos messages in them are written beside.
///
/// - Source: RFC 4178 §4.2; MS-SPNG 2.2.1.
struct NegotiateJSON {
    let secrets: SecretPolicy

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
                write(unknown, to: &json)
            }
        }
    }

    private func write(_ token: SPNEGOToken, to json: inout JSONWriter) {
        json.member("kind", "spnego")
        json.member("token", token.name)
        switch token {
        case .negTokenInit(let initial):
            writeMechanisms(of: initial, to: &json)
            write(inner: token.inner, to: &json)
            json.member("hintName", initial.negHints?.hintName)
            json.member("hintAddress", initial.negHints?.hintAddress.map { Hex.encode($0) })
            write(mechListMIC: initial.mechListMIC, to: &json)
        case .negTokenResp(let response):
            json.member("thisMech", response.thisMech?.description)
            json.member("negState", response.negState?.name)
            json.member("supportedMech", response.supportedMech?.description)
            write(inner: token.inner, to: &json)
            write(mechListMIC: response.mechListMIC, to: &json)
        }
        json.member("problems", token.problems + [token.inner?.problem].compactMap { $0 })
    }

    private func write(inner token: MechanismToken?, to json: inout JSONWriter) {
        json.member("inner", token.flatMap { name(of: $0.content) })
        json.member("innerOffset", token?.offset)
        if case .unknown(let unknown)? = token?.content { write(unknown, to: &json) }
    }

    private func writeMechanisms(of token: NegTokenInit, to json: inout JSONWriter) {
        json.member("thisMech", token.thisMech?.description)
        json.member("mechTypes", token.mechTypes.map(\.description))
        json.member("preferredMech", token.mechTypes.first?.description)
        json.member("tokenIsOfOtherMech", token.isTokenOfOtherMechanism)
        json.member("reqFlags", token.reqFlags?.names ?? [])
    }

    /// The code over the list of mechanisms is a token of the mechanism that was chosen.
    private func write(mechListMIC bytes: [UInt8]?, to json: inout JSONWriter) {
        json.member("mechListMIC", bytes.map { Hex.encode($0) })
        json.key("mechListMICToken")
        if let token = bytes.flatMap({ PerMessageToken(decoding: $0[...]) }) {
            write(token, to: &json)
        } else {
            json.null()
        }
    }

    private func write(_ token: UnknownToken, to json: inout JSONWriter) {
        json.member("mechanism", token.mechanism?.description)
        json.member("label", token.label)
        json.member("tokenLength", token.encoded.byteCount)
        json.key("content")
        guard let content = token.content() else { return json.null() }
        write(content, to: &json)
    }

    private func write(_ content: UnknownTokenContent, to json: inout JSONWriter) {
        let kerberos = KerberosJSON(secrets: secrets)
        switch content {
        case .perMessage(let token): write(token, to: &json)
        case .kdc(let message): kerberos.write(message, to: &json)
        case .tgtReply(let ticket): kerberos.write(ticket, to: &json)
        case .negoex(let messages): json.array(messages) { write($1, to: &$0) }
        case .tgtRequest(let name, let realm):
            json.object {
                $0.member("serverName", name?.text)
                $0.member("realm", realm)
            }
        case .iakerb(let realm, let message):
            json.object { json in
                json.member("targetRealm", realm)
                json.key("kerberos")
                kerberos.write(message, to: &json)
            }
        case .kdcProxy(let proxied):
            json.object { json in
                json.member("targetDomain", proxied.targetDomain)
                json.member("dclocatorHint", proxied.dclocatorHint)
                json.key("kerberos")
                kerberos.write(proxied.message, to: &json)
            }
        }
    }

    private func write(_ token: PerMessageToken, to json: inout JSONWriter) {
        json.object {
            $0.member("form", token.form.rawValue)
            $0.member("flags", token.flagNames)
            $0.member("flagBits", token.flags.map(Int.init))
            $0.member("signatureAlgorithm", token.signatureAlgorithm.map(Int.init))
            $0.member("sealAlgorithm", token.sealAlgorithm.map(Int.init))
            $0.member("extraCount", token.extraCount)
            $0.member("rightRotationCount", token.rightRotationCount)
            $0.member("sequenceNumber", token.sequenceNumber.map { Int(clamping: $0) })
            let isSealed = token.form == .wrap || token.form == .oldWrap
            $0.member("body", isSealed ? secrets.hex(token.body) : token.body.withRevealed { Hex.encode($0) })
        }
    }

    private func write(_ message: NEGOEXMessage, to json: inout JSONWriter) {
        json.object { json in
            json.member("type", message.typeName)
            json.member("sequenceNumber", Int(message.sequenceNumber))
            json.member("conversationID", message.conversationID)
            json.member(
                "authSchemes",
                message.authSchemes.map { id in NEGOEXMessage.schemeName(id).map { "\($0) (\(id))" } ?? id }
            )
            json.member("length", message.length)
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
