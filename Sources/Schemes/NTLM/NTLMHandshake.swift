import AuthScanBytes

/// The messages of one NTLM handshake, held against each other; those that were not captured are `nil`.
///
/// - Source: MS-NLMP 3.1.5, 3.2.5.
public struct NTLMHandshake: Hashable, Sendable {
    /// One bit of NegotiateFlags through the three messages; `nil` where a message is missing, or has no flags.
    public struct FlagUse: Hashable, Sendable {
        /// The bit's name in the specification.
        public let name: String
        /// Whether the client offered it.
        public let asked: Bool?
        /// Whether the server took it.
        public let granted: Bool?
        /// Whether the client settled on it.
        public let used: Bool?
    }

    /// Type 1.
    public let negotiate: NegotiateMessage?
    /// Type 2.
    public let challenge: ChallengeMessage?
    /// Type 3.
    public let authenticate: AuthenticateMessage?

    /// Holds messages against each other.
    public init(negotiate: NegotiateMessage?, challenge: ChallengeMessage?, authenticate: AuthenticateMessage?) {
        self.negotiate = negotiate
        self.challenge = challenge
        self.authenticate = authenticate
    }

    /// The handshakes in a row of messages: each begins at a message that cannot follow the one before it.
    public static func handshakes(in messages: [NTLMMessage]) -> [NTLMHandshake] {
        var handshakes: [NTLMHandshake] = []
        var previous = 3
        for message in messages {
            let open = message.typeNumber > previous ? handshakes.popLast() : nil
            handshakes.append(
                NTLMHandshake(
                    negotiate: message.negotiate ?? open?.negotiate,
                    challenge: message.challenge ?? open?.challenge,
                    authenticate: message.authenticate ?? open?.authenticate
                )
            )
            previous = message.typeNumber
        }
        return handshakes
    }

    /// Every bit that one of the messages sets, highest first.
    public var flagUses: [FlagUse] {
        let sets = [negotiate?.flags, challenge?.flags, authenticate?.flags]
        return NegotiateFlags.namesFromHighestBit.enumerated().compactMap { index, name in
            let bit = NegotiateFlags(rawValue: 1 << UInt32(31 - index))
            let states = sets.map { $0?.contains(bit) }
            guard states.contains(true) else { return nil }
            return FlagUse(name: name, asked: states[0], granted: states[1], used: states[2])
        }
    }

    /// What the messages show together: contradictions, and what a receiver may stumble over; one phrase each.
    public var remarks: [String] {
        flagRemarks + (challenge.map { challengeRemarks($0) } ?? []) + (authenticate.map(sessionRemarks) ?? [])
    }
}

extension NTLMMessage {
    /// 1, 2 or 3.
    fileprivate var typeNumber: Int {
        switch self {
        case .negotiate: 1
        case .challenge: 2
        case .authenticate: 3
        }
    }
}

extension NTLMHandshake {
    /// Bits that a server sets on its own account.
    private static let serversOwn: NegotiateFlags = [
        .targetTypeDomain, .targetTypeServer, .r6, .negotiateTargetInfo, .negotiateVersion, .r7,
    ]

    /// Bits that a client sets on its own account.
    private static let clientsOwn: NegotiateFlags = [
        .anonymous, .negotiateVersion, .negotiateOEMDomainSupplied, .negotiateOEMWorkstationSupplied, .requestTarget,
        .r7, .negotiateTargetInfo,
    ]

    /// What a client asks for because it needs it.
    private static let wanted: NegotiateFlags = [
        .negotiateKeyExchange, .negotiate128, .negotiate56, .negotiateExtendedSessionSecurity, .negotiateSign,
        .negotiateSeal, .negotiateUnicode,
    ]

    private var flagRemarks: [String] {
        var remarks: [String] = []
        if let asked = negotiate?.flags, let granted = challenge?.flags {
            let unasked = granted.subtracting(asked).subtracting(Self.serversOwn)
            if !unasked.isEmpty { remarks.append("granted without being asked for: \(unasked.list)") }
            let refused = asked.subtracting(granted).intersection(Self.wanted)
            if !refused.isEmpty { remarks.append("asked for and not granted: \(refused.list)") }
        }
        if let granted = challenge?.flags, let used = authenticate?.flags {
            let ungranted = used.subtracting(granted).subtracting(Self.clientsOwn)
            if !ungranted.isEmpty { remarks.append("used without being granted: \(ungranted.list)") }
        }
        return remarks
    }

    /// What the client made of the server's challenge.
    private func challengeRemarks(_ challenge: ChallengeMessage) -> [String] {
        guard let authenticate, let response = authenticate.ntlmV2 else { return [] }
        var remarks: [String] = []
        if let ticks = challenge.targetInfo.timestampTicks {
            // MS-NLMP 3.1.5.1.2: with an MsvAvTimestamp "the client MUST provide a MIC" and "NOT send the LMv2 response".
            if authenticate.mic == .absent || authenticate.mic == .zero {
                remarks.append("the server sent MsvAvTimestamp, and the client sent no message integrity code")
            }
            if authenticate.lmV2 != nil {
                remarks.append("the server sent MsvAvTimestamp, and the client an LMv2 response all the same")
            }
            if response.timestampTicks != ticks {
                remarks.append("the client's time is not the one that the server sent in MsvAvTimestamp")
            }
        }
        for pair in challenge.targetInfo {
            switch authenticate.avPairs[pair.id] {
            case nil: remarks.append("the client left out the server's \(pair.id.name)")
            // MsvAvFlags is the one value to which the client adds.
            case let own? where own.bytes != pair.bytes && pair.id != .flags:
                remarks.append("the client changed the server's \(pair.id.name)")
            default: break
            }
        }
        return remarks
    }

    /// What the third message says about keys and kinds of responses.
    private func sessionRemarks(_ message: AuthenticateMessage) -> [String] {
        var remarks: [String] = []
        let hasKey = message.encryptedRandomSessionKey.map { $0.byteCount > 0 } ?? false
        if let flags = message.flags {
            if flags.exchangesKey, !hasKey, !message.isAnonymous, !message.isLocalCall {
                remarks.append("a key exchange was settled on, and there is no EncryptedRandomSessionKey")
            }
            if !flags.contains(.negotiateKeyExchange), hasKey {
                remarks.append("an EncryptedRandomSessionKey without NTLMSSP_NEGOTIATE_KEY_EXCH")
            }
        }
        if message.hasAppleKeyExchangeConflict {
            remarks.append("Apple's NTLM with a key exchange and neither SIGN nor SEAL: the code may not verify")
        }
        if message.response == .ntlmV1, challenge?.flags.contains(.negotiateExtendedSessionSecurity) == true,
            message.flags?.contains(.negotiateExtendedSessionSecurity) != true
        {
            remarks.append("extended session security was granted, and the client answered in NTLMv1 without it")
        }
        return remarks
    }
}

extension NegotiateFlags {
    fileprivate var list: String { names.joined(separator: ", ") }
}
