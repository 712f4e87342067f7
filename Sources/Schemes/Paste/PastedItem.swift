/// Something about authentication that was found in pasted text.
public struct PastedItem: Hashable, Sendable {
    /// What was found.
    public enum Content: Hashable, Sendable {
        /// A header field, with its name as pasted.
        case field(name: String, value: [UInt8])
        /// A field value or its like without a name: `Negotiate YII…`.
        case value([UInt8])
        /// A token without scheme or name.
        case token(PastedToken)
        /// The first line of a request.
        case request(method: String, target: String)
        /// The first line of a response.
        case response(status: Int)
    }

    /// Who sent it, as the marks of curl's `-v` say.
    public enum Sender: String, Hashable, Sendable {
        /// `>`
        case client
        /// `<`
        case server
    }

    /// What was found.
    public internal(set) var content: Content
    /// Who sent it; `nil` where the text has no marks.
    public let sender: Sender?
    /// The line on which it starts, counted from 1.
    public let line: Int

    /// Whether it carries a challenge, credentials or a token, and is no mere first line.
    public var isDecodable: Bool {
        switch content {
        case .field, .value, .token: true
        case .request, .response: false
        }
    }
}

/// The bytes of a token, and the text that they were pasted as.
public struct PastedToken: Hashable, Sendable {
    /// How the bytes were written.
    public enum Encoding: String, Hashable, Sendable {
        /// RFC 4648 §4.
        case base64
        /// RFC 4648 §5.
        case base64url
        /// RFC 4648 §8, perhaps with separators.
        case hex
        /// No bytes: a JSON Web Token.
        case compactJWT = "JWT"
    }

    /// The text as pasted, without separators.
    public let text: [UInt8]
    /// How the bytes were written.
    public let encoding: Encoding
    /// The bytes; empty for a JSON Web Token.
    public let bytes: [UInt8]
}
