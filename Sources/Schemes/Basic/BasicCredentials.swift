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
        /// Not valid UTF-8, with octets that are controls in ISO 8859-1 and characters in Windows' code page.
        case windows1252 = "windows-1252"
    }

    /// The user-pass, which every other form is made from when it is asked for.
    let userPass: Secret<[UInt8]>

    /// Where the first colon is; −1 where there is none.
    private let storedColon: Int32

    /// Where the first colon is; `nil` where there is none.
    private var colon: Int? { storedColon < 0 ? nil : Int(storedColon) }

    /// The encoding of user-id and password together.
    public let charset: Charset

    init(userPass: [UInt8], colon: Int?, charset: Charset) {
        self.userPass = Secret(userPass)
        storedColon = colon.map { Int32(clamping: $0) } ?? -1
        self.charset = charset
    }

    /// The user-id as text, up to the first colon; the whole user-pass where there is no colon.
    public var userID: String { userPass.withRevealed { text($0[..<(colon ?? $0.endIndex)]) } }

    /// The user-id's bytes.
    public var userIDBytes: [UInt8] { userPass.withRevealed { Array($0[..<(colon ?? $0.endIndex)]) } }

    /// The password as text: what follows the first colon, `nil` where there is no colon.
    public var password: Secret<String>? {
        passwordBytes.map { $0.withRevealed { Secret(text($0[...]), byteCount: $0.count) } }
    }

    /// The password's bytes, for computations; `nil` where there is no colon.
    public var passwordBytes: Secret<[UInt8]>? {
        guard let colon else { return nil }
        return userPass.withRevealed { Secret(Array($0[(colon + 1)...])) }
    }

    /// Whether the user-id names a domain, as `DOMAIN\user` or `user@domain`.
    public var isQualified: Bool {
        userPass.withRevealed {
            $0[..<(colon ?? $0.endIndex)].contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "@") }
        }
    }

    private func text(_ bytes: ArraySlice<UInt8>) -> String {
        switch charset {
        case .latin1: latin1Text(bytes)
        case .windows1252: String(String.UnicodeScalarView(bytes.map(Windows1252.scalar)))
        case .ascii, .utf8: String(decoding: bytes, as: UTF8.self)
        }
    }
}

extension BasicCredentials {
    /// What credentials with the same password share, or with none: to look others up by, without a copy of it.
    public var passwordKey: PasswordKey { PasswordKey(self) }

    /// A password among others, or that there is none; printing it shows no more than its size.
    public struct PasswordKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
        private let credentials: BasicCredentials

        fileprivate init(_ credentials: BasicCredentials) { self.credentials = credentials }

        /// Whether both are the same bytes, or both none.
        public static func == (left: Self, right: Self) -> Bool {
            left.credentials.withPassword { left in right.credentials.withPassword { left == $0 } }
        }

        /// Feeds the bytes, eight at a time: that costs a fraction of one by one.
        public func hash(into hasher: inout Hasher) {
            credentials.withPassword { password in
                var word: UInt64 = 0
                var count = 0
                for byte in password ?? [] {
                    word = word << 8 | UInt64(byte)
                    count &+= 1
                    if count & 7 == 0 { hasher.combine(word) }
                }
                hasher.combine(word)
                hasher.combine(password == nil ? -1 : count)
            }
        }

        /// The redacted form.
        public var description: String { credentials.passwordBytes.map(\.description) ?? "‹none›" }

        /// No children: reflection must not reach the password.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// Hands the password's bytes to `body`, where they lie; `nil` where there is no colon.
    private func withPassword<Result>(_ body: (ArraySlice<UInt8>?) -> Result) -> Result {
        userPass.withRevealed { bytes in body(colon.map { bytes[($0 + 1)...] }) }
    }
}
