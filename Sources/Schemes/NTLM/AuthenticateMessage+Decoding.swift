import AuthScanBytes

extension AuthenticateMessage {
    /// The code lies at its fixed place whenever the payload starts behind it.
    ///
    /// - Source: MS-NLMP 2.2.1.3: "MIC (16 bytes): The message integrity for the NTLM NEGOTIATE_MESSAGE, …".
    static func readMIC(_ message: ArraySlice<UInt8>, payloadStart: Int) -> MessageIntegrityCode {
        guard payloadStart >= 88, message.count >= 88 else { return .absent }
        let code = message.dropFirst(72).prefix(16)
        return code.allSatisfy { $0 == 0 } ? .zero : .present(Secret(Array(code)))
    }

    static func check(
        _ field: NTLMPayloadField?,
        _ proofs: NTLMProofs,
        _ kind: ResponseKind,
        _ reader: inout NTLMMessageReader
    ) {
        guard kind == .unknown, let field, let nt = proofs.nt, !nt.isEmpty else { return }
        let reason = "\(nt.count) bytes are neither an NTLMv1 nor an NTLMv2 response"
        reader.note(DecodeError(.invalidValue(reason), "NtChallengeResponse", offset: field.bufferOffset))
    }

    static func check(_ mic: MessageIntegrityCode, _ blob: NTLMv2Response?, _ reader: inout NTLMMessageReader) {
        guard blob?.avPairs.avFlags?.contains(.messageIntegrityCodePresent) == true else { return }
        // MS-NLMP 2.2.2.1: the bit "indicates that the client is providing message integrity in the MIC field".
        if case .present = mic { return }
        reader.note(DecodeError(.invalidValue("\(mic.name) although MsvAvFlags announces it"), "MIC", offset: 72))
    }
}

/// Both responses of an AUTHENTICATE_MESSAGE; which kind they are shows only in the two together.
struct NTLMProofs {
    /// The LmChallengeResponse; `nil` where it lies outside the message.
    let lm: ArraySlice<UInt8>?
    /// The NtChallengeResponse; `nil` where it lies outside the message.
    let nt: ArraySlice<UInt8>?

    /// Whether the LM response is there and consists of zeros.
    var isLMZero: Bool { lm.map { $0.count == 24 && $0.allSatisfy { $0 == 0 } } ?? false }

    /// The kind, from the LM response's content, the NT response's length and the flags.
    func kind(flags: NegotiateFlags?, hasUser: Bool) -> AuthenticateMessage.ResponseKind {
        guard let nt, lm != nil || !nt.isEmpty else { return .unknown }
        let lm = lm ?? []
        let hasSessionSecurity = flags?.contains(.negotiateExtendedSessionSecurity) ?? true
        switch nt.count {
        case 0 where lm.count == 24 && !isLMZero: return hasSessionSecurity && flags != nil ? .lmV2 : .lm
        case 0: return hasUser || flags?.contains(.r7) == true ? .none : .anonymous
        case 24:
            // MS-NLMP 3.3.1: LmChallengeResponse is ClientChallenge with 16 zero bytes under extended session security.
            let isPadded = lm.count == 24 && lm.dropFirst(8).allSatisfy { $0 == 0 } && !isLMZero
            return isPadded && hasSessionSecurity ? .ntlm2Session : .ntlmV1
        // The proof, the client challenge's fixed part, and at least MsvAvEOL or nothing at all.
        case 44...: return .ntlmV2
        default: return .unknown
        }
    }

    /// The LMv2 response; `nil` where the LM field holds another one or zeros.
    func lmV2(beside kind: AuthenticateMessage.ResponseKind) -> LMv2Response? {
        guard kind == .ntlmV2 || kind == .lmV2, let lm, lm.count == 24, !isLMZero else { return nil }
        return LMv2Response(response: Secret(Array(lm.prefix(16))), challengeFromClient: Array(lm.suffix(8)))
    }

    /// The NTLMv2 response, which starts `offset` bytes into its message.
    func readNTLMv2(at offset: Int, _ reader: inout NTLMMessageReader) -> NTLMv2Response? {
        guard let nt else { return nil }
        do throws(DecodeError) {
            let (response, problems) = try NTLMv2Response.decode(nt, at: offset)
            for problem in problems { reader.note(problem) }
            return response
        } catch {
            reader.note(DecodeError(error.problem, error.field, offset: offset + error.offset))
            return nil
        }
    }
}

extension NTLMv2Response {
    /// Decodes a response that starts `base` bytes into its message; the problems' offsets count from there.
    static func decode(
        _ bytes: ArraySlice<UInt8>,
        at base: Int
    ) throws(DecodeError) -> (response: Self, problems: [DecodeError]) {
        var cursor = ByteCursor(bytes)
        let proof = Array(try cursor.take(16, as: "NTProofStr"))
        let respType = try cursor.readLittleEndian(UInt8.self, as: "RespType")
        let hiRespType = try cursor.readLittleEndian(UInt8.self, as: "HiRespType")
        let reserved1 = try cursor.readLittleEndian(UInt16.self, as: "Reserved1")
        let reserved2 = try cursor.readLittleEndian(UInt32.self, as: "Reserved2")
        let ticks = try cursor.readLittleEndian(UInt64.self, as: "TimeStamp")
        let challenge = Array(try cursor.take(8, as: "ChallengeFromClient"))
        let reserved3 = try cursor.readLittleEndian(UInt32.self, as: "Reserved3")
        let list = AVPairList(decoding: try cursor.take(cursor.remaining, as: "AvPairs"), at: base + 44)
        let response = Self(
            ntProofStr: Secret(proof),
            respType: respType,
            hiRespType: hiRespType,
            reserved1: reserved1,
            reserved2: reserved2,
            timestampTicks: ticks,
            challengeFromClient: challenge,
            reserved3: reserved3,
            avPairs: list.pairs,
            trailing: Array(list.trailing)
        )
        return (
            response,
            response.fixedPartProblems(at: base) + list.problems + response.trailingProblems(at: base + bytes.count)
        )
    }

    /// - Source: MS-NLMP 2.2.2.7: "RespType … MUST be 0x01", "Reserved1 … MUST be 0x0000" and so on.
    private func fixedPartProblems(at base: Int) -> [DecodeError] {
        let rules: [(isBroken: Bool, field: String, offset: Int, reason: String)] = [
            (respType != 1, "RespType", 16, "is \(respType), not 1"),
            (hiRespType != 1, "HiRespType", 17, "is \(hiRespType), not 1"),
            (reserved1 != 0, "Reserved1", 18, "is not zero"),
            (reserved2 != 0, "Reserved2", 20, "is not zero"),
            (reserved3 != 0, "Reserved3", 40, "is not zero"),
        ]
        return rules.filter(\.isBroken).map {
            DecodeError(.invalidValue($0.reason), $0.field, offset: base + $0.offset)
        }
    }

    /// Four zero bytes usually follow the list, and some clients send eight; anything else is garbage.
    private func trailingProblems(at end: Int) -> [DecodeError] {
        guard trailing.count > 8 || trailing.contains(where: { $0 != 0 }) else { return [] }
        return [DecodeError(.trailingBytes(count: trailing.count), "AvPairs", offset: end - trailing.count)]
    }
}
