public import AuthScanBytes

/// Type 2: the server's nonce, and what it says about itself.
///
///     0  Signature "NTLMSSP\0"          20  NegotiateFlags  (4)         40  TargetInfoFields (8)
///     8  MessageType 0x00000002         24  ServerChallenge (8)         48  Version (8)
///     12 TargetNameFields (8)           32  Reserved        (8)         56  Payload
///
/// A message may end its fixed part after 32, 40 or 48 bytes.
///
/// A class, because one message is looked at by many and never changes.
/// - Source: MS-NLMP 2.2.1.2.
public final class ChallengeMessage: Sendable {
    /// The authenticating realm: a domain's or a server's name.
    public let targetNameField: NTLMString?
    /// What the server settled on.
    public let flags: NegotiateFlags
    /// The nonce the client's response is computed over: always eight bytes, in wire order.
    public let serverChallenge: [UInt8]
    /// Eight bytes that are zero today, and once held the context handle of a local call; `nil` in the 32-byte form.
    public let reserved: [UInt8]?
    /// What the server says about itself, in wire order and without the final MsvAvEOL; empty where it says nothing.
    public let targetInfo: [AVPair]
    /// Whether the message has a TargetInfo field with contents.
    public let hasTargetInfo: Bool
    /// The server's version; `nil` where the message has none.
    public let version: NTLMVersion?
    /// The payload fields as their headers describe them, in wire order.
    public let fields: [NTLMPayloadField]
    /// What is malformed, with offsets from the start of the message.
    public let problems: [DecodeError]
    /// Deviations that receivers are known to accept.
    public let remarks: [DecodeError]
    /// The whole message, for computations over it.
    public let encoded: Secret<[UInt8]>

    /// The authenticating realm as text; empty where it is present and empty.
    public var targetName: String? { targetNameField?.text }

    /// When the server says it sent the challenge, in 100-nanosecond ticks since 1601-01-01 UTC.
    ///
    /// `nil` when the target information has no `MsvAvTimestamp`. A client that sees one must send a message integrity code.
    ///
    /// - Source: MS-NLMP 2.2.2.1 (AvId 7), 3.1.5.1.2.
    public var timestampTicks: UInt64? { targetInfo.timestampTicks }

    /// Reads what follows the message type.
    init(reading reader: inout NTLMMessageReader) throws(DecodeError) {
        let nameField = reader.readField("TargetName")
        flags = try reader.readFlags()
        serverChallenge = Array(try reader.cursor.take(8, as: "ServerChallenge"))
        reserved = reader.payloadStart > 32 ? reader.readReserved() : nil
        let infoField = reserved != nil && reader.payloadStart > 40 ? reader.readField("TargetInfo") : nil
        let start = reader.payloadStart
        version = infoField != nil ? reader.readVersion(flags, payloadStart: start) : nil
        let name = reader.contents(of: nameField)
        let decoder = NTLMStringDecoder(expected: flags.stringEncoding, names: [name].compactMap { $0 })
        targetNameField = decoder.decode(name, of: nameField, in: &reader)
        let info = reader.contents(of: infoField) ?? []
        hasTargetInfo = !info.isEmpty
        targetInfo = Self.readTargetInfo(info, infoField, &reader)
        if flags.contains(.negotiateTargetInfo), infoField?.length ?? 0 == 0 {
            let reason = "missing although NTLMSSP_NEGOTIATE_TARGET_INFO is set"
            reader.note(DecodeError(.invalidValue(reason), "TargetInfo", offset: min(40, reader.message.count)))
        }
        reader.checkLayout(fixedPart: reader.cursor.offset)
        fields = reader.fields
        problems = reader.problems
        remarks = reader.remarks
        encoded = Secret(Array(reader.message))
    }
}

extension ChallengeMessage: Hashable {
    /// Messages are equal when their bytes are: everything else follows from these.
    public static func == (left: ChallengeMessage, right: ChallengeMessage) -> Bool { left.encoded == right.encoded }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
