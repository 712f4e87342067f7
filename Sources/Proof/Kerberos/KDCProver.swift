import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// Holds what clients exchanged with key distribution centers against the known secrets, and follows the keys.
///
/// The password opens the AS-REP, whose session key opens the TGS-REP, whose session key opens what the client sends to the
/// service. A key is followed only where the message that carries it was opened, so that its checksum proves it.
///
/// - Source: RFC 4120 §3.1, §3.3; §7.5.1 (key usages).
struct KDCProver {
    private let ticketProver: KerberosProver
    private var userKeys: UserKeys
    private(set) var sessionKeys = SessionKeys()
    /// The salts that were stated for each user, by the principal in lower case.
    private var hints: [String: [EncryptionTypeInfo]] = [:]

    init(_ secrets: KnownSecrets) {
        ticketProver = KerberosProver(keytab: secrets.keytab)
        userKeys = UserKeys(secrets)
    }

    /// What an exchange proves; empty where it holds no proof.
    ///
    /// The exchanges are to be handed over in the order of their packets.
    mutating func proofs(_ exchange: KDCExchange) -> [Proof] {
        var proofs: [Proof] = []
        let request = exchange.request?.message?.request
        noteHints(exchange)
        if let request, request.msgType == 10 { proofs += [timestamp(request)].compactMap { $0 } }
        var subkey: SessionKey?
        if let request, let apReq = request.apReq {
            let found = authenticator(apReq)
            proofs += found.proofs
            subkey = found.subkey
        }
        guard let reply = exchange.reply, let packet = exchange.response?.packet else { return proofs }
        if reply.msgType == 11 { return proofs + [initialReply(reply, packet)] }
        guard let apReq = request?.apReq, let session = sessionKeys[apReq.ticket] else { return proofs }
        return proofs + [serviceReply(reply, packet, session, subkey)]
    }

    // MARK: - Salts

    /// Remembers what a KDC says of a user's salts: it says it with its first answer, and the proof comes with the next question.
    private mutating func noteHints(_ exchange: KDCExchange) {
        let stated = (exchange.error?.methodData() ?? []) + (exchange.reply?.padata ?? [])
        let infos = stated.flatMap { data -> [EncryptionTypeInfo] in
            if case .etypeInfo(let infos) = data.content { infos } else { [] }
        }
        guard !infos.isEmpty, let name = exchange.cname, let realm = exchange.realm, hints.count < 4096 else { return }
        hints[Self.key(name, realm)] = infos
    }

    private static func key(_ name: PrincipalName, _ realm: String) -> String { "\(name.text)@\(realm)".lowercased() }

    private func request(_ name: PrincipalName?, _ realm: String, _ etype: EncryptionType) -> UserKeys.Request {
        let stated = name.flatMap { hints[Self.key($0, realm)] } ?? []
        return UserKeys.Request(user: name, realm: realm, etype: etype, hints: stated)
    }

    // MARK: - AS exchange

    private mutating func timestamp(_ request: KDCRequest) -> Proof? {
        guard let part = request.encryptedTimestamp else { return nil }
        let search = userKeys.search(
            self.request(request.cname, request.realm, part.etype),
            opening: part.cipher.withRevealed { $0 },
            usage: KeyUsage.preauthenticationTimestamp
        )
        guard case .found(let plain, _) = search else { return Proof(.kerberosTimestamp, Self.verdict(search)) }
        // A plaintext that passed its checksum and is no time says no more than that the key is right.
        let time = try? PreauthenticationTime(decoding: plain[...])
        let details = time.map { [SchemeField("clientTime", .time(Int($0.time.secondsSinceEpoch)))] } ?? []
        return Proof(.kerberosTimestamp, Self.verdict(search), details: details)
    }

    private static func verdict(_ search: UserKeys.Search) -> Proof.Verdict {
        switch search {
        case .found(_, let name): name.map { .rightForOther($0) } ?? .right
        case .wrong: .wrong
        case .cannotTell(let reason): .cannotTell(reason)
        }
    }

    private mutating func initialReply(_ reply: KDCReply, _ packet: Int) -> Proof {
        // FAST strengthens the reply key with one that no password tells.
        let isArmored = reply.padata.contains { $0.type == .fast }
        let search = userKeys.search(
            request(reply.cname, reply.crealm, reply.encPart.etype),
            opening: reply.encPart.cipher.withRevealed { $0 },
            usage: KeyUsage.initialReplyPart
        )
        guard case .found(let plain, _) = search else {
            if isArmored { return Proof(.kerberosInitialReply, .cannotTell("the reply is armored (FAST)")) }
            return Proof(.kerberosInitialReply, Self.verdict(search))
        }
        let origin = "the secret of \(reply.cname.text)@\(reply.crealm), by the AS-REP in packet \(packet)"
        return opened(.kerberosInitialReply, Self.verdict(search), plain, reply.ticket, origin)
    }

    // MARK: - TGS exchange

    private func authenticator(_ request: APReq) -> (proofs: [Proof], subkey: SessionKey?) {
        guard let session = sessionKeys[request.ticket],
            let key = session.key.computed
        else { return ([], nil) }
        let cipher = request.authenticator.cipher.withRevealed { $0 }
        guard let plain = key.decrypt(cipher, usage: KeyUsage.tgsReqAuthenticator) else {
            return ([Proof(.kerberosRequestAuthenticator, .wrong)], nil)
        }
        // A plaintext that passed its checksum and is no authenticator says no more than that the key is right.
        let part = try? Authenticator(decoding: plain[...])
        return ([Proof(.kerberosRequestAuthenticator, .right, details: part?.details ?? [])], part?.subkey)
    }

    private mutating func serviceReply(
        _ reply: KDCReply,
        _ packet: Int,
        _ session: SessionKeys.Entry,
        _ subkey: SessionKey?
    ) -> Proof {
        let cipher = reply.encPart.cipher.withRevealed { $0 }
        for (key, usage) in Self.replyKeys(reply, session.key.computed, subkey?.computed) {
            guard let plain = key.decrypt(cipher, usage: usage) else { continue }
            let origin = "\(session.origin), and the TGS-REP in packet \(packet)"
            return opened(.kerberosServiceReply, .right, plain, reply.ticket, origin)
        }
        return Proof(.kerberosServiceReply, .wrong)
    }

    /// The keys that may open the client's part of a TGS-REP: the strengthened one, the subkey, the ticket's session key.
    ///
    /// - Source: RFC 4120 §5.4.2; RFC 6113 §5.4.1.1 (the armor is made of subkey and session key), §5.4.3 (strengthen-key).
    private static func replyKeys(
        _ reply: KDCReply,
        _ session: KerberosKey?,
        _ subkey: KerberosKey?
    ) -> [(key: KerberosKey, usage: UInt32)] {
        var keys: [(KerberosKey, UInt32)] = []
        if let session, let subkey, let armored = reply.armoredPart,
            let armor = KerberosKey.combination(of: subkey, "subkeyarmor", session, "ticketarmor"),
            let plain = armor.decrypt(armored.cipher.withRevealed { $0 }, usage: KeyUsage.fastResponse),
            // A response that cannot be read leaves the reply closed.
            let strengthening = (try? FASTResponse(decoding: plain[...]))?.strengthenKey?.computed,
            let key = KerberosKey.combination(of: strengthening, "strengthenkey", subkey, "replykey")
        {
            keys.append((key, KeyUsage.serviceReplySubkey))
        }
        if let subkey { keys.append((subkey, KeyUsage.serviceReplySubkey)) }
        if let session { keys.append((session, KeyUsage.serviceReplyPart)) }
        return keys
    }

    private mutating func opened(
        _ subject: Proof.Subject,
        _ verdict: Proof.Verdict,
        _ plain: [UInt8],
        _ ticket: Ticket,
        _ origin: String
    ) -> Proof {
        do throws(DecodeError) {
            let part = try EncKDCRepPart(decoding: plain[...])
            sessionKeys.note(part.key, of: ticket, origin: origin)
            let details = [
                SchemeField("service", .text("\(ticket.sname.text)@\(ticket.realm)")),
                SchemeField("sessionKeyType", .text(part.key.etype.name)),
            ]
            return Proof(subject, verdict, details: details, sessionKey: part.key.value)
        } catch {
            return Proof(subject, verdict, details: [SchemeField("problem", .text(error.description))])
        }
    }
}

extension KDCRequest {
    /// The AP-REQ of PA-TGS-REQ.
    fileprivate var apReq: APReq? {
        for data in padata {
            if case .apReq(let request) = data.content { return request }
        }
        return nil
    }

    /// The time of PA-ENC-TIMESTAMP.
    fileprivate var encryptedTimestamp: EncryptedPart? {
        for data in padata {
            if case .encryptedTimestamp(let part) = data.content { return part }
        }
        return nil
    }
}
