import AuthScanBytes
import AuthScanNativeCodecs
import AuthScanSchemes

/// Recomputes what an AUTHENTICATE_MESSAGE proves, for one password or hash and one server challenge.
struct NTLMComputation {
    /// The keys of one password: its LM hash is missing where only the NT hash is known, or it has none.
    struct Candidate {
        let ntHash: [UInt8]
        let lmHash: [UInt8]?
    }

    let message: AuthenticateMessage
    let candidate: Candidate
    let serverChallenge: [UInt8]
    /// The names under which the key is made.
    let user: String
    let domain: String

    /// Whether the NT response is right; `nil` where the message has none, or the kind is not known.
    var isResponseRight: Bool? {
        guard let nt = message.ntChallengeResponse else { return nil }
        return nt.withRevealed { nt in
            switch message.response {
            case .ntlmV2: Array(nt.prefix(16)) == proof(covering: nt.dropFirst(16))
            case .ntlmV1: nt == NTLMKeys.longDES(key: candidate.ntHash, serverChallenge)
            case .ntlm2Session: nt == NTLMKeys.longDES(key: candidate.ntHash, sessionChallenge)
            case .lm: lmResponse.map { $0 == (message.lmChallengeResponse?.withRevealed { $0 } ?? []) }
            case .lmV2: isLMv2Right
            case .anonymous, .none, .unknown: nil
            }
        }
    }

    /// Whether the LMv2 response is right; `nil` where the message has none.
    var isLMv2Right: Bool? {
        message.lmV2.map { lm in
            lm.response.withRevealed { $0 == proof(covering: lm.challengeFromClient[...]) }
        }
    }

    /// Whether the LM response beside an NTLMv1 response is right; `nil` where there is none to check.
    var isLMResponseRight: Bool? {
        guard message.response == .ntlmV1, let lm = message.lmChallengeResponse, !message.isLMResponseZero else {
            return nil
        }
        return lm.withRevealed { lm in
            // Clients that send no LM response repeat the NT response in its place.
            let isRepeated = message.ntChallengeResponse?.withRevealed { $0 == lm } ?? false
            return lm.count != 24 || isRepeated ? nil : lmResponse.map { $0 == lm }
        }
    }

    private var lmResponse: [UInt8]? { candidate.lmHash.map { NTLMKeys.longDES(key: $0, serverChallenge) } }

    private var responseKey: [UInt8] { NTLMKeys.v2Key(ntHash: candidate.ntHash, user: user, domain: domain) }

    private func proof(covering bytes: ArraySlice<UInt8>) -> [UInt8] {
        HashFunction.md5.hmac(of: serverChallenge + bytes, key: responseKey)
    }

    /// MD5 over both challenges, of which eight bytes are answered.
    ///
    /// - Source: MS-NLMP 3.3.1.
    private var sessionChallenge: [UInt8] {
        Array(HashFunction.md5.digest(of: serverChallenge + (message.sessionClientChallenge ?? [])).prefix(8))
    }
}

// MARK: - Keys and the message integrity code

extension NTLMComputation {
    /// SessionBaseKey; empty for kinds that have none here.
    ///
    /// - Source: MS-NLMP 3.3.1, 3.3.2.
    var sessionBaseKey: [UInt8] {
        switch message.response {
        case .ntlmV2:
            let proof = message.ntlmV2?.ntProofStr.withRevealed { $0 } ?? []
            return HashFunction.md5.hmac(of: proof, key: responseKey)
        case .ntlmV1, .ntlm2Session: return MD4.digest(of: candidate.ntHash)
        default: return []
        }
    }

    /// KeyExchangeKey.
    ///
    /// - Source: MS-NLMP 3.4.5.1.
    var keyExchangeKey: [UInt8] {
        let flags = message.flags ?? []
        switch message.response {
        case .ntlm2Session:
            let challenges = serverChallenge + (message.sessionClientChallenge ?? [])
            return HashFunction.md5.hmac(of: challenges, key: sessionBaseKey)
        case .ntlmV1 where flags.contains(.negotiateLMKey):
            guard let hash = candidate.lmHash, let lm = message.lmChallengeResponse?.withRevealed({ $0 }) else {
                return []
            }
            return lmSessionKey(hash, Array(lm.prefix(8)))
        case .ntlmV1 where flags.contains(.requestNonNTSessionKey):
            return candidate.lmHash.map { Array($0.prefix(8)) + [UInt8](repeating: 0, count: 8) } ?? []
        default: return sessionBaseKey
        }
    }

    private func lmSessionKey(_ hash: [UInt8], _ response: [UInt8]) -> [UInt8] {
        // DES under the first seven bytes, and under the eighth with six bytes of 0xBD: the first two of DESL's three keys.
        let key = Array(hash.prefix(8)) + [UInt8](repeating: 0xBD, count: 6)
        return Array(NTLMKeys.longDES(key: key, response).prefix(16))
    }

    /// ExportedSessionKey, in the way of the specification or in the other one; empty where it cannot be made.
    ///
    /// - Source: MS-NLMP 3.1.5.1.2, 3.2.5.1.2.
    func exportedSessionKey(exchangingKey: Bool) -> [UInt8] {
        guard exchangingKey else { return keyExchangeKey }
        let encrypted = message.encryptedRandomSessionKey?.withRevealed { $0 } ?? []
        return encrypted.count == 16 ? RC4.apply(encrypted, key: keyExchangeKey) : []
    }

    /// Whether the code is right under a session key: HMAC-MD5 over all three messages, with its own place zeroed.
    func isCodeRight(_ code: [UInt8], key: [UInt8], _ negotiate: NegotiateMessage, _ challenge: ChallengeMessage)
        -> Bool
    {
        guard !key.isEmpty else { return false }
        var own = message.encoded.withRevealed { $0 }
        guard own.count >= 88 else { return false }
        own.replaceSubrange(72..<88, with: repeatElement(0, count: 16))
        let earlier = negotiate.encoded.withRevealed { $0 } + challenge.encoded.withRevealed { $0 }
        return HashFunction.md5.hmac(of: earlier + own, key: key) == code
    }
}
