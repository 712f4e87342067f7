public import AuthScanBytes

/// Credentials of the Basic scheme: base64 of `user-id ":" password`.
///
/// - Source: RFC 7617 §2.
public struct BasicCredentials: Hashable, Sendable {
    /// The encoding that the bytes are valid in; the wire does not say it.
    public enum Charset: String, Hashable, Sendable {
        /// Only ASCII: the same in every charset.
        case ascii = "US-ASCII"
        /// Not only ASCII, and valid UTF-8.
        case utf8 = "UTF-8"
        /// Not valid UTF-8, so read as ISO 8859-1.
        case latin1 = "ISO-8859-1"
    }

    /// The user-id as text, up to the first colon; the whole user-pass where there is no colon.
    public let userID: String

    /// The user-id's bytes.
    public let userIDBytes: [UInt8]

    /// The password as text: what follows the first colon, `nil` where there is no colon.
    public let password: Secret<String>?

    /// The password's bytes, for computations; `nil` where there is no colon.
    public let passwordBytes: Secret<[UInt8]>?

    /// The encoding of user-id and password together.
    public let charset: Charset
}
