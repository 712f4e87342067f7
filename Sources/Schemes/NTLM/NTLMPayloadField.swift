/// The eight-byte header that says where a variable-length NTLM field lies in the payload.
///
///     0 Len (2)    2 MaxLen (2)    4 BufferOffset (4)
///
/// - Source: MS-NLMP 2.2.1.1 (`DomainNameFields`) and its siblings.
public struct NTLMPayloadField: Hashable, Sendable {
    /// The field's name, as in the specification: `DomainName`.
    public let name: String
    /// Where this header starts, in bytes from the start of the message.
    public let headerOffset: Int
    /// The field's length, in bytes.
    public let length: Int
    /// The room the sender had, in bytes; ignored on receipt.
    public let maxLength: Int
    /// Where the field starts, in bytes from the start of the message.
    public let bufferOffset: Int
}
