import AuthScanBytes
import AuthScanSchemes

/// Writes the three NTLM messages.
struct NTLMJSON {
    let secrets: SecretPolicy

    func write(_ message: NTLMMessage, to json: inout JSONWriter) {
        json.object { json in
            json.member("message", message.messageName)
            json.key("flags")
            writeFlags(message.flags, to: &json)
            switch message {
            case .negotiate(let negotiate):
                json.member("domain", negotiate.domain)
                json.member("workstation", negotiate.workstation)
            case .challenge(let challenge): write(challenge, to: &json)
            case .authenticate(let authenticate): write(authenticate, to: &json)
            }
            json.key("version")
            writeVersion(message.version, to: &json)
            json.key("problems")
            json.array(message.problems) { json, problem in
                json.object {
                    $0.member("message", problem.description)
                    $0.member("offset", problem.offset)
                }
            }
        }
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

    private func write(_ challenge: ChallengeMessage, to json: inout JSONWriter) {
        json.member("targetName", challenge.targetName)
        json.member("serverChallenge", Hex.encode(challenge.serverChallenge))
        json.member("reserved", challenge.reserved.map { Hex.encode($0) })
        writePairs(challenge.targetInfo, to: &json)
    }

    private func write(_ authenticate: AuthenticateMessage, to json: inout JSONWriter) {
        json.member("domain", authenticate.domain)
        json.member("user", authenticate.user)
        json.member("workstation", authenticate.workstation)
        json.member("response", authenticate.response.rawValue)
        json.member("mic", authenticate.mic.name)
        json.member("lmChallengeResponse", authenticate.lmChallengeResponse.map(secrets.hex))
        json.member("ntChallengeResponse", authenticate.ntChallengeResponse.map(secrets.hex))
        json.member("encryptedRandomSessionKey", authenticate.encryptedRandomSessionKey.map(secrets.hex))
        json.key("ntlmv2")
        writeProof(authenticate.ntlmV2, to: &json)
        writePairs(authenticate.avPairs, to: &json)
    }

    private func writeProof(_ response: NTLMv2Response?, to json: inout JSONWriter) {
        guard let response else { return json.null() }
        json.object {
            $0.member("ntProofStr", secrets.hex(response.ntProofStr))
            $0.member("respType", Int(response.respType))
            $0.member("hiRespType", Int(response.hiRespType))
            $0.member("timestampTicks", Int(clamping: response.timestampTicks))
            $0.member("challengeFromClient", Hex.encode(response.challengeFromClient))
        }
    }

    private func writePairs(_ pairs: [AVPair], to json: inout JSONWriter) {
        json.key("avPairs")
        json.array(pairs) { json, pair in
            json.object {
                $0.member("id", pair.id.name)
                $0.member("value", pair.valueText)
            }
        }
    }
}

extension AVPair {
    /// The value as a person reads it: text as it is, numbers in decimal, everything else in hex.
    var valueText: String {
        switch value {
        case .text(let text): text
        case .flags(let flags): "0x" + Hex.encode(flags.rawValue)
        case .timestamp(let ticks): "\(ticks)"
        case .channelBindings(let hash): Hex.encode(hash)
        case .singleHost, .bytes: Hex.encode(bytes)
        }
    }
}
