import AuthScanBytes
import AuthScanSchemes

/// Writes the three NTLM messages, each in the order of its fixed part, and then what follows from the fields; all have
/// the same members, null where a message has no such field.
///
/// - Source: MS-NLMP 2.2.1.1–3.
struct NTLMJSON {
    let secrets: SecretPolicy

    func write(_ message: NTLMMessage, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", message.messageName)
            json.member("length", message.encoded.byteCount)
            writeResponses(message.authenticate, to: &json)
            // NEGOTIATE_MESSAGE alone has its flags before its names.
            if message.negotiate != nil { writeFlags(message.flags, to: &json) }
            writeNames(message, to: &json)
            json.member("encryptedRandomSessionKey", message.authenticate?.encryptedRandomSessionKey.map(secrets.hex))
            if message.negotiate == nil { writeFlags(message.flags, to: &json) }
            writeChallenge(message.challenge, to: &json)
            // An AUTHENTICATE_MESSAGE has its pairs in the NT response, which was written before.
            if message.authenticate == nil { writePairs(message.challenge?.targetInfo ?? [], to: &json) }
            writeVersion(message.version, to: &json)
            writeCode(message.authenticate, to: &json)
            writeConclusions(message, to: &json)
            json.key("fields")
            json.array(message.fields) { $0.write($1) }
            json.member("problems", message.problems)
            json.member("remarks", message.remarks)
        }
    }

    private func writeNames(_ message: NTLMMessage, to json: inout JSONWriter) {
        json.member("domain", message.negotiate?.domain ?? message.authenticate?.domain)
        json.member("user", message.authenticate?.user)
        json.member("workstation", message.negotiate?.workstation ?? message.authenticate?.workstation)
        json.member("targetName", message.challenge?.targetName)
    }

    private func writeFlags(_ flags: NegotiateFlags?, to json: inout JSONWriter) {
        json.key("flags")
        guard let flags else { return json.null() }
        json.object {
            $0.member("value", "0x" + Hex.encode(flags.rawValue))
            $0.member("names", flags.names)
        }
    }

    private func writeVersion(_ version: NTLMVersion?, to json: inout JSONWriter) {
        json.key("version")
        guard let version else { return json.null() }
        json.object {
            $0.member("major", Int(version.major))
            $0.member("minor", Int(version.minor))
            $0.member("build", Int(version.build))
            $0.member("reserved", Hex.encode(version.reserved))
            $0.member("revision", Int(version.revision))
            $0.member("implementation", version.isAppleFingerprint ? "Apple (Heimdal)" : nil)
        }
    }

    private func writeChallenge(_ challenge: ChallengeMessage?, to json: inout JSONWriter) {
        json.member("serverChallenge", challenge.map { Hex.encode($0.serverChallenge) })
        json.member("reserved", challenge?.reserved.map { Hex.encode($0) })
    }

    private func writePairs(_ pairs: [AVPair], to json: inout JSONWriter) {
        json.key("avPairs")
        json.array(pairs) { $0.write($1) }
    }

    /// The LM and the NT response, each with its parts behind it.
    private func writeResponses(_ authenticate: AuthenticateMessage?, to json: inout JSONWriter) {
        json.member("lmResponse", authenticate?.lmChallengeResponse.map(secrets.hex))
        json.member("lmResponseIsZero", authenticate?.isLMResponseZero)
        json.key("lmv2")
        writeProof(authenticate?.lmV2, to: &json)
        json.member("sessionClientChallenge", authenticate?.sessionClientChallenge.map { Hex.encode($0) })
        json.member("ntResponse", authenticate?.ntChallengeResponse.map(secrets.hex))
        json.key("ntlmv2")
        writeProof(authenticate?.ntlmV2, to: &json)
        if let authenticate { writePairs(authenticate.avPairs, to: &json) }
    }

    private func writeCode(_ authenticate: AuthenticateMessage?, to json: inout JSONWriter) {
        json.member("mic", authenticate?.mic.name)
        json.member("micValue", authenticate?.mic.code.map(secrets.hex))
    }

    /// What no field says by itself.
    private func writeConclusions(_ message: NTLMMessage, to json: inout JSONWriter) {
        json.member("response", message.authenticate?.response.rawValue)
        json.member("channelBindings", message.authenticate?.ntlmV2?.avPairs.channelBindings.name)
        json.member("localCall", message.authenticate?.isLocalCall)
        json.member("encoding", message.names.first { !$0.bytes.isEmpty }?.encoding.rawValue)
        json.member("encodingContradictsFlags", message.names.contains(where: \.contradictsFlags))
    }

    private func writeProof(_ response: LMv2Response?, to json: inout JSONWriter) {
        guard let response else { return json.null() }
        json.object {
            $0.member("response", secrets.hex(response.response))
            $0.member("challengeFromClient", Hex.encode(response.challengeFromClient))
        }
    }

    private func writeProof(_ response: NTLMv2Response?, to json: inout JSONWriter) {
        guard let response else { return json.null() }
        json.object {
            $0.member("ntProofStr", secrets.hex(response.ntProofStr))
            $0.member("respType", Int(response.respType))
            $0.member("hiRespType", Int(response.hiRespType))
            $0.member("reserved1", Int(response.reserved1))
            $0.member("reserved2", Int(response.reserved2))
            $0.member("timestamp", CalendarDate.rfc3339(ticks: response.timestampTicks))
            $0.member("challengeFromClient", Hex.encode(response.challengeFromClient))
            $0.member("reserved3", Int(response.reserved3))
            $0.member("trailing", Hex.encode(response.trailing))
        }
    }
}

extension NTLMMessage {
    /// The message's names, as decoded.
    fileprivate var names: [NTLMString] {
        let names =
            switch self {
            case .negotiate(let message): [message.domainName, message.workstationName]
            case .challenge(let message): [message.targetNameField]
            case .authenticate(let message): [message.domainName, message.userName, message.workstationName]
            }
        return names.compactMap { $0 }
    }

    fileprivate var fields: [NTLMPayloadField] {
        switch self {
        case .negotiate(let message): message.fields
        case .challenge(let message): message.fields
        case .authenticate(let message): message.fields
        }
    }

    fileprivate var encoded: Secret<[UInt8]> {
        switch self {
        case .negotiate(let message): message.encoded
        case .challenge(let message): message.encoded
        case .authenticate(let message): message.encoded
        }
    }
}

extension AuthenticateMessage.MessageIntegrityCode {
    fileprivate var code: Secret<[UInt8]>? { if case .present(let code) = self { code } else { nil } }
}

extension ChannelBindings {
    /// `absent`, `zero` or `present`.
    fileprivate var name: String {
        switch self {
        case .absent: "absent"
        case .zero: "zero"
        case .present: "present"
        }
    }
}

extension JSONWriter {
    fileprivate mutating func write(_ pair: AVPair) {
        object { json in
            json.member("id", pair.id.name)
            json.member("value", pair.valueText)
            json.member("number", Int(pair.id.rawValue))
            json.member("length", pair.bytes.count)
            json.member("offset", pair.offset)
            json.key("parts")
            switch pair.value {
            case .flags(let flags): json.array(flags.names) { $0.value($1) }
            case .singleHost(let host): json.write(host)
            default: json.null()
            }
        }
    }

    private mutating func write(_ host: SingleHost) {
        object {
            $0.member("size", Int(host.size))
            $0.member("z4", Int(host.z4))
            $0.member("customData", Hex.encode(host.customData))
            $0.member("machineID", Hex.encode(host.machineID))
        }
    }

    /// Where a buffer lies, in bytes from the start of the message.
    fileprivate mutating func write(_ field: NTLMPayloadField) {
        object {
            $0.member("name", field.name)
            $0.member("length", field.length)
            $0.member("maxLength", field.maxLength)
            $0.member("offset", field.bufferOffset)
            $0.member("headerOffset", field.headerOffset)
        }
    }
}

extension AVPair.Flags {
    /// The bits that are set, in the words of the specification.
    fileprivate var names: [String] {
        let names: [(Self, String)] = [
            (.constrainedAuthentication, "constrained authentication"),
            (.messageIntegrityCodePresent, "message integrity code present"),
            (.untrustedTargetName, "target name from an untrusted source"),
        ]
        let rest = subtracting([.constrainedAuthentication, .messageIntegrityCodePresent, .untrustedTargetName])
        return names.filter { contains($0.0) }.map(\.1)
            + (rest.isEmpty ? [] : ["unknown (0x\(Hex.encode(rest.rawValue)))"])
    }
}

extension AVPair {
    /// The value as a person reads it: text as it is, a time in UTC, everything else in hex.
    var valueText: String {
        switch value {
        case .text(let text): text
        case .flags(let flags): "0x" + Hex.encode(flags.rawValue)
        case .timestamp(let ticks): CalendarDate.rfc3339(ticks: ticks)
        case .channelBindings(let hash): Hex.encode(hash)
        case .singleHost, .bytes: Hex.encode(bytes)
        }
    }
}
