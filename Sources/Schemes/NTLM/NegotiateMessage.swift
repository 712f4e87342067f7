public import AuthScanBytes

/// Type 1: the client opens the handshake and says what it can do.
///
///     0  Signature "NTLMSSP\0"          16  DomainNameFields   (8)      32  Version (8)
///     8  MessageType 0x00000001         24  WorkstationFields  (8)      40  Payload
///     12 NegotiateFlags (4)
///
/// A message may end after 16 or 32 bytes.
///
/// A class, because one message is looked at by many and never changes.
/// - Source: MS-NLMP 2.2.1.1.
public final class NegotiateMessage: Sendable {
    /// What the client offers.
    public let flags: NegotiateFlags
    /// The client's domain; `nil` where the message has no such field.
    public let domainName: NTLMString?
    /// The client's name; `nil` where the message has no such field.
    public let workstationName: NTLMString?
    /// The client's version; `nil` where the message has none.
    public let version: NTLMVersion?
    /// The payload fields as their headers describe them, in wire order.
    public let fields: [NTLMPayloadField]
    /// What is malformed, with offsets from the start of the message.
    public let problems: [DecodeError]
    /// Deviations that receivers are known to accept.
    public let remarks: [DecodeError]
    /// The whole message, for computations over it.
    public let encoded: Secret<[UInt8]>

    /// The client's domain as text; empty where it is present and empty.
    public var domain: String? { domainName?.text }
    /// The client's name as text; empty where it is present and empty.
    public var workstation: String? { workstationName?.text }

    /// Reads what follows the message type.
    init(reading reader: inout NTLMMessageReader) throws(DecodeError) {
        flags = try reader.readFlags()
        // The sixteen-byte form ends here.
        let hasFields = reader.cursor.remaining > 0
        let domainField = hasFields ? reader.readField("DomainName") : nil
        let workstationField = hasFields ? reader.readField("Workstation") : nil
        let start = reader.payloadStart
        version = workstationField != nil ? reader.readVersion(flags, payloadStart: start) : nil
        let domain = reader.contents(of: domainField)
        let workstation = reader.contents(of: workstationField)
        // MS-NLMP 2.2.1.1: both names "MUST be encoded using the OEM character set".
        let decoder = NTLMStringDecoder(expected: .oem, names: [domain, workstation].compactMap { $0 })
        domainName = decoder.decode(domain, of: domainField, in: &reader)
        workstationName = decoder.decode(workstation, of: workstationField, in: &reader)
        Self.check(flags.contains(.negotiateOEMDomainSupplied), domainField, &reader)
        Self.check(flags.contains(.negotiateOEMWorkstationSupplied), workstationField, &reader)
        reader.checkLayout(fixedPart: reader.cursor.offset)
        fields = reader.fields
        problems = reader.problems
        remarks = reader.remarks
        encoded = Secret(Array(reader.message))
    }
}

extension NegotiateMessage: Hashable {
    /// Messages are equal when their bytes are: everything else follows from these.
    public static func == (left: NegotiateMessage, right: NegotiateMessage) -> Bool { left.encoded == right.encoded }

    /// Feeds the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(encoded) }
}
