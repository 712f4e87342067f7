/// A name inside an NTLM message, with the encoding it was read in.
///
/// - Source: MS-NLMP 2.2.2.5 (bits A and B).
public struct NTLMString: Hashable, Sendable {
    /// How the bytes were read.
    public enum Encoding: String, Hashable, Sendable {
        /// UTF-16, least significant byte first.
        case utf16LittleEndian = "UTF-16LE"
        /// The client's code page, which the message does not name: read as Windows-1252.
        case oem = "windows-1252"
    }

    /// The name; lone surrogates are replaced by U+FFFD.
    public let text: String
    /// How the bytes were read.
    public let encoding: Encoding
    /// Whether the flags, or the field's definition, call for another encoding than the bytes show.
    public let contradictsFlags: Bool
    /// The bytes as on the wire.
    public let bytes: [UInt8]
}
