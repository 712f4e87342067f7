import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// What keys are used for, which goes into each encryption.
///
/// - Source: RFC 4120 §7.5.1.
enum KeyUsage {
    static let preauthenticationTimestamp: UInt32 = 1
    static let ticket: UInt32 = 2
    static let initialReplyPart: UInt32 = 3
    static let tgsReqAuthenticator: UInt32 = 7
    static let serviceReplyPart: UInt32 = 8
    static let serviceReplySubkey: UInt32 = 9
    /// - Source: RFC 6113 §7.1.
    static let fastResponse: UInt32 = 52
    static let apReqAuthenticator: UInt32 = 11
    static let apRepPart: UInt32 = 12
}

/// Opens what a client and a service sent each other with the keys of a keytab, or with a session key that was followed.
struct KerberosProver {
    let keytab: [KeytabEntry]
    /// The session keys that came to light in what clients exchanged with key distribution centers.
    var sessionKeys = SessionKeys()
    /// What the server's certificate makes of channel bindings; `nil` where the connection shows none.
    var channelBindings: [UInt8]?

    /// What the ticket and authenticator of a request hold, and whether the service's answer fits.
    func proofs(_ request: APReq, _ reply: APRep?) -> [Proof] {
        if let (plain, entry) = open(request.ticket) { return opened(plain, entry, request, reply) }
        let closed = keytab.isEmpty ? [] : [Proof(.kerberosTicket, unopened(request.ticket))]
        guard let session = sessionKeys[request.ticket] else { return closed }
        let details = [
            SchemeField("service", .text("\(request.ticket.sname.text)@\(request.ticket.realm)")),
            SchemeField("followedFrom", .text(session.origin)),
        ]
        let followed = [Proof(.kerberosSessionKey, .right, details: details, sessionKey: session.key.value)]
        // Last stands what the user's secret tells: that the service's key is another says nothing against it.
        return closed + followed + rest(request, reply, session.key)
    }

    /// The plaintext of a ticket, and the key that opens it.
    private func open(_ ticket: Ticket) -> (plain: [UInt8], entry: KeytabEntry)? {
        let cipher = ticket.encPart.cipher.withRevealed { $0 }
        for entry in ordered(for: ticket) {
            guard let key = KerberosKey(entry.etype, entry.key.withRevealed { $0 }),
                let plain = key.decrypt(cipher, usage: KeyUsage.ticket)
            else { continue }
            return (plain, entry)
        }
        return nil
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
        return [ticket] + rest(request, reply, part.key)
    }

    /// What the session key opens: the authenticator and what it binds to, and the service's answer.
    private func rest(_ request: APReq, _ reply: APRep?, _ session: SessionKey) -> [Proof] {
        guard let key = session.computed else {
            return [Proof(.kerberosAuthenticator, .cannotTell("\(session.etype.name) is not computed"))]
        }
        return authenticator(request, key) + (reply.map { [answer($0, key)] } ?? [])
    }

    private func authenticator(_ request: APReq, _ key: KerberosKey) -> [Proof] {
        let cipher = request.authenticator.cipher.withRevealed { $0 }
        guard let plain = key.decrypt(cipher, usage: KeyUsage.apReqAuthenticator) else {
            return [Proof(.kerberosAuthenticator, .wrong)]
        }
        do throws(DecodeError) {
            let part = try Authenticator(decoding: plain[...])
            return [Proof(.kerberosAuthenticator, .right, details: part.details)]
                + [ChannelBindingProof.proof(of: part.channelBindings, due: channelBindings)].compactMap { $0 }
        } catch {
            return [Proof(.kerberosAuthenticator, .right, details: [SchemeField("problem", .text(error.description))])]
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

extension SessionKey {
    /// The key, ready for use; `nil` for an encryption type that is not computed.
    var computed: KerberosKey? { value.withRevealed { KerberosKey(etype, $0) } }
}

extension Authenticator {
    /// What it says, for reports.
    var details: [SchemeField] {
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
