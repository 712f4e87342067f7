import AuthScanBytes
import AuthScanSchemes

/// What keys are used for, which goes into each encryption.
///
/// - Source: RFC 4120 §7.5.1.
enum KeyUsage {
    static let preauthenticationTimestamp: UInt32 = 1
    static let ticket: UInt32 = 2
    static let apReqAuthenticator: UInt32 = 11
    static let apRepPart: UInt32 = 12
}

/// Opens what a client and a service sent each other with the keys of a keytab.
struct KerberosProver {
    let keytab: [KeytabEntry]

    /// What the ticket and authenticator of a request hold, and whether the service's answer fits.
    func proofs(_ request: APReq, _ reply: APRep?) -> [Proof] {
        let ticket = request.ticket
        let cipher = ticket.encPart.cipher.withRevealed { $0 }
        for entry in ordered(for: ticket) {
            guard let key = KerberosKey(entry.etype, entry.key.withRevealed { $0 }),
                let plain = key.decrypt(cipher, usage: KeyUsage.ticket)
            else { continue }
            return opened(plain, entry, request, reply)
        }
        return [Proof(.kerberosTicket, unopened(ticket))]
    }

    /// The keys of the ticket's encryption type, those of its service first.
    private func ordered(for ticket: Ticket) -> [KeytabEntry] {
        let fitting = keytab.filter { $0.etype == ticket.encPart.etype }
        return fitting.filter { isKey($0, of: ticket) } + fitting.filter { !isKey($0, of: ticket) }
    }

    private func isService(_ entry: KeytabEntry, of ticket: Ticket) -> Bool {
        entry.name == ticket.sname.text && entry.realm == ticket.realm
    }

    private func isKey(_ entry: KeytabEntry, of ticket: Ticket) -> Bool {
        isService(entry, of: ticket) && (ticket.encPart.kvno ?? entry.kvno) == entry.kvno
    }

    /// Why no key opens the ticket.
    private func unopened(_ ticket: Ticket) -> Proof.Verdict {
        let type = ticket.encPart.etype
        guard let supported = Self.supported[type.rawValue], supported else {
            return .cannotTell("\(type.name) is not computed")
        }
        let service = keytab.filter { isService($0, of: ticket) }
        if service.isEmpty { return .cannotTell("the keytab has no key of \(ticket.sname.text)@\(ticket.realm)") }
        let ofType = service.filter { $0.etype == type }
        if ofType.isEmpty { return .cannotTell("the keytab has no key of \(type.name) for \(ticket.sname.text)") }
        if let version = ticket.encPart.kvno, !ofType.contains(where: { $0.kvno == version }) {
            let versions = Set(ofType.map(\.kvno)).sorted().map(String.init).joined(separator: ", ")
            return .cannotTell("the ticket is for key version \(version), the keytab has \(versions)")
        }
        return .wrong
    }

    private static let supported: [Int: Bool] = [17: true, 18: true, 19: true, 20: true, 23: true]

    private func opened(_ plain: [UInt8], _ entry: KeytabEntry, _ request: APReq, _ reply: APRep?) -> [Proof] {
        let verdict: Proof.Verdict =
            isKey(entry, of: request.ticket)
            ? .right : .rightForOther("the key of \(entry.principal), version \(entry.kvno)")
        let part: EncTicketPart
        do throws(DecodeError) {
            part = try EncTicketPart(decoding: plain[...])
        } catch {
            let reason = SchemeField("problem", .text(error.description))
            return [Proof(.kerberosTicket, verdict, details: [reason])]
        }
        let ticket = Proof(.kerberosTicket, verdict, details: part.details, sessionKey: part.key.value)
        guard let key = KerberosKey(part.key.etype, part.key.value.withRevealed { $0 }) else {
            let reason = "\(part.key.etype.name) is not computed"
            return [ticket, Proof(.kerberosAuthenticator, .cannotTell(reason))]
        }
        return [ticket, authenticator(request, key)] + (reply.map { [answer($0, key)] } ?? [])
    }

    private func authenticator(_ request: APReq, _ key: KerberosKey) -> Proof {
        let cipher = request.authenticator.cipher.withRevealed { $0 }
        guard let plain = key.decrypt(cipher, usage: KeyUsage.apReqAuthenticator) else {
            return Proof(.kerberosAuthenticator, .wrong)
        }
        do throws(DecodeError) {
            return Proof(.kerberosAuthenticator, .right, details: try Authenticator(decoding: plain[...]).details)
        } catch {
            return Proof(.kerberosAuthenticator, .right, details: [SchemeField("problem", .text(error.description))])
        }
    }

    private func answer(_ reply: APRep, _ key: KerberosKey) -> Proof {
        let cipher = reply.encPart.cipher.withRevealed { $0 }
        return Proof(.kerberosReply, key.decrypt(cipher, usage: KeyUsage.apRepPart) == nil ? .wrong : .right)
    }
}

extension EncTicketPart {
    fileprivate var details: [SchemeField] {
        var fields = [
            SchemeField("client", .text("\(cname.text)@\(crealm)")), SchemeField("flags", .list(flagNames)),
            SchemeField("sessionKeyType", .text(key.etype.name)), SchemeField("authtime", authtime.value),
        ]
        if let starttime { fields.append(SchemeField("starttime", starttime.value)) }
        fields.append(SchemeField("endtime", endtime.value))
        if let renewTill { fields.append(SchemeField("renewTill", renewTill.value)) }
        return fields
    }
}

extension Authenticator {
    fileprivate var details: [SchemeField] {
        var fields = [
            SchemeField("client", .text("\(cname.text)@\(crealm)")), SchemeField("clientTime", ctime.value),
            SchemeField("clientMicroseconds", .number(cusec)),
        ]
        if let channelBindings {
            let isZero = channelBindings.allSatisfy { $0 == 0 }
            fields.append(SchemeField("channelBindings", isZero ? .text("none") : .bytes(channelBindings)))
        }
        if contextFlags != nil { fields.append(SchemeField("contextFlags", .list(contextFlagNames))) }
        if let subkey { fields.append(SchemeField("subkeyType", .text(subkey.etype.name))) }
        return fields
    }
}

extension KerberosTime {
    /// Years beyond 9999 do not come about: the text has four digits.
    fileprivate var value: SchemeField.Value { .time(Int(secondsSinceEpoch)) }
}
