import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// Holds an AUTHENTICATE_MESSAGE against the known secrets.
struct NTLMProver {
    /// A challenge, and where it was captured.
    struct CapturedChallenge {
        let message: ChallengeMessage
        let connection: Int
        let transaction: Int
    }

    /// How many challenges of other connections are tried.
    static let otherChallengeLimit = 32

    let handshake: NTLMHandshake
    /// Challenges of other connections, the nearest first.
    let others: [CapturedChallenge]
    /// The keys of the passwords and hashes that may be this user's.
    let candidates: [NTLMComputation.Candidate]

    /// What the message proves; empty where it proves nothing, being anonymous or no such message.
    func proofs() -> [Proof] {
        guard let message = handshake.authenticate, message.response != .anonymous, message.response != .none else {
            return []
        }
        if let reason = obstacle(message) { return [Proof(.ntlmResponse, .cannotTell(reason))] }
        if let challenge = handshake.challenge, let found = search(message, challenge) {
            return [response(found, .right)] + companions(found.computation, challenge)
        }
        for other in others.prefix(Self.otherChallengeLimit) {
            guard let found = search(message, other.message) else { continue }
            let verdict = Proof.Verdict.rightOnOtherChallenge(
                connection: other.connection,
                transaction: other.transaction
            )
            return [Proof(.ntlmResponse, verdict, details: details(found))]
        }
        let verdict: Proof.Verdict =
            handshake.challenge == nil ? .cannotTell("the CHALLENGE_MESSAGE is not in the capture") : .wrong
        return [Proof(.ntlmResponse, verdict)]
    }

    /// Why nothing can be computed, if so.
    private func obstacle(_ message: AuthenticateMessage) -> String? {
        if message.ntChallengeResponse == nil { return "the response is not in the capture as a whole" }
        if message.response == .unknown { return "the response is of no known kind" }
        if candidates.isEmpty { return "no secret is known for this user" }
        if message.response == .lm, candidates.allSatisfy({ $0.lmHash == nil }) {
            return "no known secret has an LM hash"
        }
        return nil
    }

    /// A computation that gives the captured response, and the name of the spelling that it takes.
    private struct Found {
        let computation: NTLMComputation
        let spelling: IdentitySpelling
    }

    private func search(_ message: AuthenticateMessage, _ challenge: ChallengeMessage) -> Found? {
        let isNamed = message.response == .ntlmV2 || message.response == .lmV2
        let spellings = IdentitySpelling.ntlm(message, challenge)
        // The names go into NTLMv2's key alone. What was sent is tried with every secret before another spelling is.
        for spelling in isNamed ? spellings : Array(spellings.prefix(1)) {
            for candidate in candidates {
                let computation = NTLMComputation(
                    message: message,
                    candidate: candidate,
                    serverChallenge: challenge.serverChallenge,
                    user: spelling.user,
                    domain: spelling.domain
                )
                if computation.isResponseRight == true { return Found(computation: computation, spelling: spelling) }
            }
        }
        return nil
    }

    private func response(_ found: Found, _ verdict: Proof.Verdict) -> Proof {
        let key = found.computation.exportedSessionKey(exchangingKey: exchangesKey)
        return Proof(
            .ntlmResponse,
            found.spelling.name.map { .rightForOther($0) } ?? verdict,
            details: details(found),
            sessionKey: key.isEmpty ? nil : Secret(key)
        )
    }

    private func details(_ found: Found) -> [SchemeField] {
        guard found.spelling.name != nil else { return [] }
        return [SchemeField("user", .text(found.spelling.user)), SchemeField("domain", .text(found.spelling.domain))]
    }

    private var exchangesKey: Bool { handshake.authenticate?.flags?.exchangesKey ?? false }

    // MARK: - What stands beside the response

    private func companions(_ computation: NTLMComputation, _ challenge: ChallengeMessage) -> [Proof] {
        var proofs: [Proof] = []
        if computation.message.response == .ntlmV2, let isRight = computation.isLMv2Right {
            proofs.append(Proof(.lmV2Response, isRight ? .right : .wrong))
        }
        if let isRight = computation.isLMResponseRight {
            proofs.append(Proof(.lmResponse, isRight ? .right : .wrong))
        }
        if case .present(let code) = computation.message.mic {
            proofs.append(integrity(code.withRevealed { $0 }, computation, challenge))
        }
        return proofs
    }

    /// Clients disagree about the session key where a key exchange was settled on with neither signing nor sealing.
    private func integrity(_ code: [UInt8], _ computation: NTLMComputation, _ challenge: ChallengeMessage) -> Proof {
        guard let negotiate = handshake.negotiate else {
            return Proof(.messageIntegrityCode, .cannotTell("the NEGOTIATE_MESSAGE is not in the capture"))
        }
        for exchanging in [exchangesKey, !exchangesKey] {
            let key = computation.exportedSessionKey(exchangingKey: exchanging)
            guard computation.isCodeRight(code, key: key, negotiate, challenge) else { continue }
            let other =
                exchanging
                ? "under the exchanged key, though neither signing nor sealing was settled on"
                : "under the key that the password gives, though another was exchanged"
            let verdict: Proof.Verdict = exchanging == exchangesKey ? .right : .rightForOther(other)
            return Proof(.messageIntegrityCode, verdict, sessionKey: Secret(key))
        }
        return Proof(.messageIntegrityCode, .wrong)
    }
}
