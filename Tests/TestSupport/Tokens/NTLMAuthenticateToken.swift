import AuthScanNativeCodecs

extension TokenEncoder {
    /// `AUTHENTICATE_MESSAGE` with the options that ``Transcript`` lists.
    ///
    /// With the word `anonymous` it has no user and no response.
    ///
    /// - Source: MS-NLMP 2.2.1.3.
    func authenticateMessage(
        _ expression: inout TokenExpression,
        isAnonymous: Bool
    ) throws(TranscriptError) -> [UInt8] {
        let user = expression.take("user") ?? (isAnonymous ? "" : "alice")
        let domain = expression.take("domain") ?? (isAnonymous ? "" : challenge.domain)
        let workstation = expression.take("workstation") ?? "IPHONE"
        let response = expression.take("response") ?? (isAnonymous ? "none" : "NTLMv2")
        // MS-NLMP 3.1.5.1.2: a client that was sent an MsvAvTimestamp provides a MIC.
        let account = expression.take("password").map { NTLMAccount(user: user, domain: domain, password: $0) }
        let isMICWrong = account != nil && expression.peek("mic") == "wrong"
        if isMICWrong { _ = expression.take("mic") }
        let hasMIC =
            try expression.takeFlag("mic") ?? (isMICWrong || response == "NTLMv2" && challenge.hasTimestamp)
        var flags = NTLMFlag.common | NTLMFlag.unicode | NTLMFlag.targetInfo
        if response == "NTLMv1" || response == "LM" { flags &= ~NTLMFlag.extendedSessionSecurity }
        if isAnonymous { flags |= NTLMFlag.anonymous }
        flags = try takeFlags(&expression, flags)
        let encode = flags & NTLMFlag.unicode == 0 ? latin1 : utf16

        var generator = SeededGenerator(from: "\(user)|\(domain)|\(position)")
        var responses = try self.responses(response, hasMIC: hasMIC, &expression, &generator)
        if let account, response == "NTLMv2" {
            let blob = Array(responses.nt.dropFirst(16))
            responses.nt = account.proof(challenge.serverChallenge + blob) + blob
        }

        var message = NTLMMessageWriter(type: 3, fixedLength: hasMIC ? 88 : 72)
        // The names come first, as Windows has it, so that the UTF-16 units of all of them lie at even offsets.
        let (domainPlace, userPlace) = (message.place(encode(domain)), message.place(encode(user)))
        let workstationPlace = message.place(encode(workstation))
        // MS-NLMP 3.2.5.1.2: an anonymous response is an empty NT response and one zero byte as LM response.
        message.append(message.place(isAnonymous ? [0] : responses.lm))
        message.append(message.place(responses.nt))
        message.append(domainPlace)
        message.append(userPlace)
        message.append(workstationPlace)
        message.append(message.place([]))
        message.append(flags)
        message.appendVersion()
        guard hasMIC else { return message.bytes }
        guard let account, !isMICWrong else {
            message.append(generator.bytes(16))
            return message.bytes
        }
        message.append([UInt8](repeating: 0, count: 16))
        return signed(message.bytes, account, proof: Array(responses.nt.prefix(16)))
    }

    /// The message with its integrity code, under the key that no key exchange replaces.
    ///
    /// - Source: MS-NLMP 3.1.5.1.2.
    private func signed(_ message: [UInt8], _ account: NTLMAccount, proof: [UInt8]) -> [UInt8] {
        var message = message
        let covered = earlierMessages.negotiate + earlierMessages.challenge + message
        message.replaceSubrange(72..<88, with: HashFunction.md5.hmac(of: covered, key: account.proof(proof)))
        return message
    }

    /// The two responses in made-up bytes of the right shape.
    ///
    /// - Source: MS-NLMP 2.2.2.3, 2.2.2.4, 2.2.2.6, 2.2.2.8.
    private func responses(
        _ kind: String,
        hasMIC: Bool,
        _ expression: inout TokenExpression,
        _ generator: inout SeededGenerator
    ) throws(TranscriptError) -> (lm: [UInt8], nt: [UInt8]) {
        let zeros = [UInt8](repeating: 0, count: 24)
        switch kind {
        case "NTLMv2":
            let proof = try expression.takeHex("proof", count: 16) ?? generator.bytes(16)
            let nt = try proof + clientChallenge(hasMIC: hasMIC, &expression, &generator)
            // MS-NLMP 3.1.5.1.2: with an MsvAvTimestamp, the LM response is 24 zero bytes.
            return (challenge.hasTimestamp ? zeros : generator.bytes(24), nt)
        case "NTLMv1": return (generator.bytes(24), generator.bytes(24))
        case "NTLM2-session": return (generator.bytes(8) + zeros.prefix(16), generator.bytes(24))
        case "LM": return (generator.bytes(24), [])
        case "none": return ([], [])
        default: throw expression.error("response=\(kind) is none of NTLMv2, NTLMv1, NTLM2-session, LM, none")
        }
    }

    /// NTLMv2_CLIENT_CHALLENGE with the target information of the latest challenge.
    ///
    /// - Source: MS-NLMP 2.2.2.7.
    private func clientChallenge(
        hasMIC: Bool,
        _ expression: inout TokenExpression,
        _ generator: inout SeededGenerator
    ) throws(TranscriptError) -> [UInt8] {
        var pairs = try expression.takeFlag("pairs") ?? true ? challenge.pairs : []
        if hasMIC { pairs.append(AVPairContents(id: 6, value: [2, 0, 0, 0])) }
        let binding = expression.take("channel-binding") ?? "zero"
        if binding != "no" {
            let hash = binding == "zero" ? [UInt8](repeating: 0, count: 16) : decodeHex(binding)
            guard let hash, hash.count == 16 else {
                throw expression.error("channel-binding= takes no, zero or 16 bytes in hexadecimal")
            }
            pairs.append(AVPairContents(id: 10, value: hash))
        }
        let target = expression.take("target") ?? "HTTP/intranet.example"
        if target != "no" { pairs.append(.text(9, target)) }

        var bytes: [UInt8] = [1, 1, 0, 0, 0, 0, 0, 0]
        bytes += ntlmTime(late: try expression.takeNumber("late") ?? 0)
        bytes += generator.bytes(8)
        bytes += [0, 0, 0, 0]
        bytes += [UInt8](repeating: 0, count: try expression.takeNumber("blob-gap") ?? 0)
        bytes += AVPairContents.list(pairs)
        return bytes + [0, 0, 0, 0]
    }
}

/// The names and the password that a response is computed from.
private struct NTLMAccount {
    let user: String
    let domain: String
    let password: String

    /// HMAC-MD5 under the key that NTLMv2 makes of the names and the password: of the challenges it is the NTProofStr, of that
    /// the session key.
    ///
    /// - Source: MS-NLMP 3.3.2.
    func proof(_ bytes: [UInt8]) -> [UInt8] {
        let hash = MD4.digest(of: utf16(password))
        let key = HashFunction.md5.hmac(of: utf16(user.uppercased()) + utf16(domain), key: hash)
        return HashFunction.md5.hmac(of: bytes, key: key)
    }
}

/// A text in ISO 8859-1, which stands for the OEM code page; letters outside of it become question marks.
private func latin1(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") }
}
