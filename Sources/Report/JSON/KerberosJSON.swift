import AuthScanBytes
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
            json.member("pvno", message.apReq?.pvno ?? message.apRep?.pvno ?? error?.pvno)
            json.member("msgType", message.apReq?.msgType ?? message.apRep?.msgType ?? error?.msgType)
            json.member("thisMech", message.thisMech?.description)
            json.member("realm", ticket?.realm ?? error?.realm)
            json.member("sname", (ticket?.sname ?? error?.sname)?.text)
            json.member("snameType", (ticket?.sname ?? error?.sname)?.nameTypeName)
            json.member("snameTypeNumber", (ticket?.sname ?? error?.sname)?.nameType)
            json.member("tktVno", ticket?.tktVno)
            write(encrypted, to: &json)
            json.member("apOptions", message.apReq?.apOptionNames ?? [])
            json.member("apOptionBits", message.apReq.map { "0x" + Hex.encode($0.apOptions) })
            json.key("authenticator")
            writeObject(message.apReq?.authenticator, to: &json)
            json.key("error")
            write(error, to: &json)
        }
    }

    /// A message to or from a KDC.
    func write(_ message: KDCMessage, to json: inout JSONWriter) {
        switch message {
        case .request(let request): write(request, message.messageName, to: &json)
        case .reply(let reply): write(reply, message.messageName, to: &json)
        case .error(let error): write(KerberosMessage.krbError(error), to: &json)
        }
    }

    private func write(_ request: KDCRequest, _ name: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", name)
            json.member("pvno", request.pvno)
            json.member("msgType", request.msgType)
            json.member("realm", request.realm)
            write("cname", request.cname, to: &json)
            write("sname", request.sname, to: &json)
            json.member("kdcOptions", request.kdcOptionNames)
            json.member("kdcOptionBits", "0x" + Hex.encode(request.kdcOptions))
            json.member("from", request.from.map(text))
            json.member("till", request.till.map(text))
            json.member("rtime", request.rtime.map(text))
            json.member("nonce", request.nonce)
            json.key("etypes")
            json.array(request.etypes) { json, type in
                json.array([String(type.rawValue), type.name]) { $0.value($1) }
            }
            json.key("addresses")
            json.array(request.addresses) { json, address in
                json.array([address.typeName, address.text]) { $0.value($1) }
            }
            json.key("encAuthorizationData")
            writeObject(request.encAuthorizationData, to: &json)
            json.key("additionalTickets")
            json.array(request.additionalTickets) { write($1, to: &$0) }
            json.key("padata")
            write(request.padata, to: &json)
        }
    }

    private func write(_ reply: KDCReply, _ name: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", name)
            json.member("pvno", reply.pvno)
            json.member("msgType", reply.msgType)
            json.member("crealm", reply.crealm)
            write("cname", reply.cname, to: &json)
            json.key("ticket")
            write(reply.ticket, to: &json)
            json.key("encPart")
            writeObject(reply.encPart, to: &json)
            json.key("padata")
            write(reply.padata, to: &json)
        }
    }

    func write(_ ticket: Ticket, to json: inout JSONWriter) {
        json.object { json in
            json.member("tktVno", ticket.tktVno)
            json.member("realm", ticket.realm)
            write("sname", ticket.sname, to: &json)
            write(ticket.encPart, to: &json)
        }
    }

    private func write(_ list: [PreauthenticationData], to json: inout JSONWriter) {
        json.array(list) { json, data in
            json.object { json in
                json.member("type", data.type.rawValue)
                json.member("name", data.type.name)
                json.member("length", data.value.byteCount)
                json.member("value", secrets.hex(data.value))
                json.key("content")
                write(data, to: &json)
                json.member("problem", data.problem?.description)
            }
        }
    }

    private func write(_ data: PreauthenticationData, to json: inout JSONWriter) {
        switch data.content {
        case .apReq(let request): write(KerberosMessage.apReq(request), to: &json)
        case .encryptedTimestamp(let part): writeObject(part, to: &json)
        case .pacRequest(let isWanted): json.value(isWanted)
        case .etypeInfo(let list):
            json.array(list) { json, info in
                json.object {
                    $0.member("etype", info.etype.rawValue)
                    $0.member("etypeName", info.etype.name)
                    $0.member("salt", info.salt.map { fieldText($0[...]) })
                    $0.member("s2kparams", info.parameters.map { Hex.encode($0) })
                }
            }
        case .salt(let salt): json.value(fieldText(salt[...]))
        case .supportedEtypes(let types):
            json.object {
                $0.member("bits", "0x" + Hex.encode(types.rawValue))
                $0.member("names", types.names)
            }
        case .fast(let armored):
            json.object { json in
                json.member("armorType", armored.armorType)
                json.member("armorValue", armored.armorType.map { _ in secrets.hex(armored.armorValue) })
                json.key("armor")
                if let armor = armored.armor { write(KerberosMessage.apReq(armor), to: &json) } else { json.null() }
                json.member("checksumType", armored.checksumType)
                json.member("checksum", armored.checksum.isEmpty ? nil : Hex.encode(armored.checksum))
                json.key("encPart")
                writeObject(armored.encPart, to: &json)
            }
        case .pkASReq(let request): PKINITJSON(secrets: secrets).write(request, to: &json)
        case .pkASRep(let reply): PKINITJSON(secrets: secrets).write(reply, to: &json)
        case .pacOptions(let options):
            json.object {
                $0.member("bits", "0x" + Hex.encode(options.rawValue))
                $0.member("names", options.names)
            }
        case .other: json.null()
        }
    }

    private func writeObject(_ part: EncryptedPart?, to json: inout JSONWriter) {
        if let part { json.object { write(part, to: &$0) } } else { json.null() }
    }

    private func write(_ part: EncryptedPart?, to json: inout JSONWriter) {
        json.member("etype", part?.etype.rawValue)
        json.member("etypeName", part?.etype.name)
        json.member("kvno", part?.kvno)
        json.member("cipher", part.map { secrets.hex($0.cipher) })
        json.member("cipherLength", part?.cipher.byteCount)
    }

    private func write(_ name: String, _ principal: PrincipalName?, to json: inout JSONWriter) {
        json.member(name, principal?.text)
        json.member("\(name)Type", principal?.nameTypeName)
        json.member("\(name)TypeNumber", principal?.nameType)
    }

    private func write(_ error: KRBError?, to json: inout JSONWriter) {
        guard let error else { return json.null() }
        json.object { json in
            json.member("code", error.errorCode.rawValue)
            json.member("name", error.errorCode.name)
            json.member("meaning", error.errorCode.meaning)
            json.member("text", error.eText)
            json.member("serverTime", text(error.stime))
            json.member("serverMicroseconds", error.susec)
            json.member("clientTime", error.ctime.map(text))
            json.member("clientMicroseconds", error.cusec)
            json.member("crealm", error.crealm)
            write("cname", error.cname, to: &json)
            json.member("dataLength", error.eData?.byteCount)
            json.member("data", error.eData.map(secrets.hex))
            json.key("methodData")
            write(error.methodData(), to: &json)
            write(error.errorData(), to: &json)
        }
    }

    private func write(_ data: KerberosErrorData?, to json: inout JSONWriter) {
        json.member("dataType", data?.dataType)
        json.member("status", data?.status.map { "0x" + Hex.encode($0) })
        json.member("statusReserved", data?.reserved.map { "0x" + Hex.encode($0) })
        json.member("statusFlags", data?.flags.map { "0x" + Hex.encode($0) })
    }

    private func text(_ time: KerberosTime) -> String {
        CalendarDate.rfc3339(secondsSinceEpoch: time.secondsSinceEpoch)
    }
}

extension KerberosMessage {
    /// The mechanism of the GSS-API framing.
    fileprivate var thisMech: MechanismType? {
        switch self {
        case .apReq(let message): message.thisMech
        case .apRep(let message): message.thisMech
        case .krbError(let message): message.thisMech
        }
    }
}
