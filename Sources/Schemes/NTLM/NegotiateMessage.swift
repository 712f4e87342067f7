public import AuthScanBytes

/// Type 1: the client opens the handshake and says what it can do.
///
///     0  Signature "NTLMSSP\0"          16  DomainNameFields   (8)      32  Version (8)
///     8  MessageType 0x00000001         24  WorkstationFields  (8)      40  Payload
///     12 NegotiateFlags (4)
///
/// A message may end after 16 or 32 bytes.
/// - Source: MS-NLMP 2.2.1.1.
public struct NegotiateMessage: Hashable, Sendable {
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
}
