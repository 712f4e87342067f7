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
        /// The client's code page, with an octet that Windows-1252 leaves unused: read as code page 850.
        case codePage850 = "IBM850"
        /// UTF-8 in the place of a code page, as programs send that pass on what the terminal gave them.
        case utf8 = "UTF-8"
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
