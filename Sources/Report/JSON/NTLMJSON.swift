import AuthScanBytes
import AuthScanSchemes

/// Writes the three NTLM messages; all have the same members, null where a message has no such field.
struct NTLMJSON {
    let secrets: SecretPolicy

    func write(_ message: NTLMMessage, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", message.messageName)
            json.key("flags")
            writeFlags(message.flags, to: &json)
            writeNames(message, to: &json)
            json.key("version")
            writeVersion(message.version, to: &json)
            writeChallenge(message.challenge, to: &json)
            writeResponse(message.authenticate, to: &json)
            json.key("avPairs")
            json.array(message.challenge?.targetInfo ?? message.authenticate?.avPairs ?? []) { json, pair in
                json.object {
                    $0.member("id", pair.id.name)
                    $0.member("value", pair.valueText)
                }
            }
            writeErrors("problems", message.problems, to: &json)
            writeErrors("remarks", message.remarks, to: &json)
        }
    }

    private func writeErrors(_ name: String, _ errors: [DecodeError], to json: inout JSONWriter) {
        json.key(name)
        json.array(errors) { json, error in
            json.object {
                $0.member("message", error.description)
                $0.member("offset", error.offset)
            }
        }
    }

    private func writeNames(_ message: NTLMMessage, to json: inout JSONWriter) {
        json.member("domain", message.negotiate?.domain ?? message.authenticate?.domain)
        json.member("user", message.authenticate?.user)
        json.member("workstation", message.negotiate?.workstation ?? message.authenticate?.workstation)
        json.member("targetName", message.challenge?.targetName)
    }

    private func writeFlags(_ flags: NegotiateFlags?, to json: inout JSONWriter) {
        guard let flags else { return json.null() }
        json.object {
            $0.member("value", "0x" + Hex.encode(flags.rawValue))
            $0.member("names", flags.names)
        }
    }

    private func writeVersion(_ version: NTLMVersion?, to json: inout JSONWriter) {
        guard let version else { return json.null() }
        json.object {
            $0.member("major", Int(version.major))
            $0.member("minor", Int(version.minor))
            $0.member("build", Int(version.build))
            $0.member("reserved", Hex.encode(version.reserved))
            $0.member("revision", Int(version.revision))
        }
    }

    private func writeChallenge(_ challenge: ChallengeMessage?, to json: inout JSONWriter) {
        json.member("serverChallenge", challenge.map { Hex.encode($0.serverChallenge) })
        json.member("reserved", challenge?.reserved.map { Hex.encode($0) })
    }

    private func writeResponse(_ authenticate: AuthenticateMessage?, to json: inout JSONWriter) {
        json.member("response", authenticate?.response.rawValue)
        json.member("mic", authenticate?.mic.name)
        json.member("lmResponse", authenticate?.lmChallengeResponse.map(secrets.hex))
        json.member("ntResponse", authenticate?.ntChallengeResponse.map(secrets.hex))
        json.member("encryptedRandomSessionKey", authenticate?.encryptedRandomSessionKey.map(secrets.hex))
        json.key("ntlmv2")
        writeProof(authenticate?.ntlmV2, to: &json)
    }

    private func writeProof(_ response: NTLMv2Response?, to json: inout JSONWriter) {
        guard let response else { return json.null() }
        json.object {
            $0.member("ntProofStr", secrets.hex(response.ntProofStr))
            $0.member("respType", Int(response.respType))
            $0.member("hiRespType", Int(response.hiRespType))
            $0.member("timestamp", CalendarDate.rfc3339(ticks: response.timestampTicks))
            $0.member("challengeFromClient", Hex.encode(response.challengeFromClient))
        }
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
