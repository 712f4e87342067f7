public import AuthScanBytes

/// Type 3: who the client is, and its proof.
///
///     0  Signature "NTLMSSP\0"               36 UserNameFields                  (8)
///     8  MessageType 0x00000003              44 WorkstationFields               (8)
///     12 LmChallengeResponseFields (8)       52 EncryptedRandomSessionKeyFields (8)
///     20 NtChallengeResponseFields (8)       60 NegotiateFlags (4)
///     28 DomainNameFields          (8)       64 Version (8)   72 MIC (16)   88 Payload
///
/// The fixed part may end after 52 or 64 bytes, and Version or MIC may be missing: the first payload offset tells.
///
/// A class, because one message is looked at by many and never changes.
/// - Source: MS-NLMP 2.2.1.3.
public final class AuthenticateMessage: Sendable {
    /// How the client proves that it knows the password; the raw values appear in reports.
    public enum ResponseKind: String, Hashable, Sendable, CaseIterable {
        /// NTProofStr and client challenge: MS-NLMP 2.2.2.8.
        case ntlmV2 = "NTLMv2"
        /// 24 bytes over the server's challenge alone: MS-NLMP 2.2.2.6.
        case ntlmV1 = "NTLMv1"
        /// 24 bytes over the hash of both challenges; the client's stands in the LM field, followed by 16 zero bytes.
        case ntlm2Session = "NTLM2 session"
        /// An LMv2 response and no NT response.
        case lmV2 = "LMv2"
        /// An LM response and no NT response.
        case lm = "LM"
        /// No user and no proof: an anonymous logon.
        case anonymous
        /// A user without any proof, or a local call.
        case none
        /// A response of a length that no kind has.
        case unknown
    }

    /// The message integrity code's presence; it covers all three messages.
    public enum MessageIntegrityCode: Hashable, Sendable {
        /// The message has no room for one.
        case absent
        /// Sixteen zero bytes.
        case zero
        /// The code: HMAC-MD5 under the exported session key.
        case present(Secret<[UInt8]>)

        /// `absent`, `zero` or `present`.
        public var name: String {
            switch self {
            case .absent: "absent"
            case .zero: "zero"
            case .present: "present"
            }
        }
    }

    /// The LmChallengeResponse; `nil` where its field cannot be read.
    public let lmChallengeResponse: Secret<[UInt8]>?
    /// The NtChallengeResponse; `nil` where its field cannot be read.
    public let ntChallengeResponse: Secret<[UInt8]>?
    /// Which kind of proof both responses and the flags make together.
    public let response: ResponseKind
    /// The parts of an NTLMv2 response; `nil` for other kinds.
    public let ntlmV2: NTLMv2Response?
    /// The parts of an LMv2 response beside or instead of an NTLMv2 response; `nil` for other kinds and where it is zero.
    public let lmV2: LMv2Response?
    /// The user's domain.
    public let domainName: NTLMString?
    /// The user's name.
    public let userName: NTLMString?
    /// The client's name.
    public let workstationName: NTLMString?
    /// The encrypted session key; `nil` in the 52-byte form, empty without key exchange.
    public let encryptedRandomSessionKey: Secret<[UInt8]>?
    /// What the client settled on; `nil` in the 52-byte form.
    public let flags: NegotiateFlags?
    /// The client's version; `nil` where the message has none.
    public let version: NTLMVersion?
    /// The message integrity code.
    public let mic: MessageIntegrityCode
    /// Whether the LM response is zeros alone, as clients send that compute no LM response.
    public let isLMResponseZero: Bool
    /// The payload fields as their headers describe them, in wire order.
    public let fields: [NTLMPayloadField]
    /// What is malformed, with offsets from the start of the message.
    public let problems: [DecodeError]
    /// Deviations that receivers are known to accept.
    public let remarks: [DecodeError]
    /// The whole message, for computations over it.
    public let encoded: Secret<[UInt8]>

    /// The user's domain as text; empty where it is present and empty, `nil` where it cannot be read.
    public var domain: String? { domainName?.text }
    /// The user's name as text; empty where it is present and empty, `nil` where it cannot be read.
    public var user: String? { userName?.text }
    /// The client's name as text; empty where it is present and empty, `nil` where it cannot be read.
    public var workstation: String? { workstationName?.text }

    /// The AV pairs of the NTLMv2 client challenge; empty for other responses.
    public var avPairs: [AVPair] { ntlmV2?.avPairs ?? [] }

    /// The channel bindings of the NTLMv2 client challenge.
    public var channelBindings: ChannelBindings { avPairs.channelBindings }

    /// Whether the client asks to be let in without a name.
    ///
    /// - Source: MS-NLMP 3.2.5.1.2.
    public var isAnonymous: Bool { response == .anonymous }

    /// Whether all fields are empty because client and server are one machine.
    ///
    /// - Source: MS-NLMP 2.2.2.5, bit r7; its older meaning is NTLMSSP_NEGOTIATE_LOCAL_CALL.
    public let isLocalCall: Bool

    /// Reads what follows the message type.
    init(reading reader: inout NTLMMessageReader) throws(DecodeError) {
        let lmField = reader.readField("LmChallengeResponse")
        let ntField = reader.readField("NtChallengeResponse")
        let domainField = reader.readField("DomainName")
        let userField = reader.readField("UserName")
        let workstationField = reader.readField("Workstation")
        let hasFlags = workstationField != nil && reader.payloadStart > 52
        let keyField = hasFlags ? reader.readField("EncryptedRandomSessionKey") : nil
        let flags = keyField == nil ? nil : reader.readFlagsIfPresent()
        let start = reader.payloadStart
        version = flags.flatMap { reader.readVersion($0, payloadStart: start) }
        mic = Self.readMIC(reader.message, payloadStart: start)

        let (domain, user) = (reader.contents(of: domainField), reader.contents(of: userField))
        let workstation = reader.contents(of: workstationField)
        let names = [domain, user, workstation].compactMap { $0 }
        let decoder = NTLMStringDecoder(expected: flags?.stringEncoding, names: names)
        domainName = decoder.decode(domain, of: domainField, in: &reader)
        userName = decoder.decode(user, of: userField, in: &reader)
        workstationName = decoder.decode(workstation, of: workstationField, in: &reader)

        let proofs = NTLMProofs(lm: reader.contents(of: lmField), nt: reader.contents(of: ntField))
        lmChallengeResponse = proofs.lm.map { Secret(Array($0)) }
        ntChallengeResponse = proofs.nt.map { Secret(Array($0)) }
        isLMResponseZero = proofs.isLMZero
        response = proofs.kind(flags: flags, hasUser: userField?.length ?? 0 > 0)
        ntlmV2 = response == .ntlmV2 ? proofs.readNTLMv2(at: ntField?.bufferOffset ?? 0, &reader) : nil
        lmV2 = proofs.lmV2(beside: response)
        encryptedRandomSessionKey = reader.contents(of: keyField).map { Secret(Array($0)) }
        self.flags = flags
        isLocalCall = flags?.contains(.r7) == true && reader.fields.allSatisfy { $0.length == 0 }
        Self.check(ntField, proofs, response, &reader)
        Self.check(mic, ntlmV2, &reader)
        reader.checkLayout(fixedPart: mic == .absent ? reader.cursor.offset : 88)
        fields = reader.fields
        problems = reader.problems
        remarks = reader.remarks
        encoded = Secret(Array(reader.message))
    }
}

extension AuthenticateMessage: Hashable {
    /// Messages are equal when their bytes are: everything else follows from these.
    public static func == (left: AuthenticateMessage, right: AuthenticateMessage) -> Bool {
        left.encoded == right.encoded
    }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
