import AuthScanBytes

extension PastedToken {
    /// Reads a line that is one token and nothing else; `nil` for other lines.
    init?(_ line: ArraySlice<UInt8>) {
        if line.starts(with: "eyJ".utf8), line.contains(UInt8(ascii: ".")), line.allSatisfy(\.isToken68Character) {
            self.init(text: Array(line), encoding: .compactJWT, bytes: [])
            return
        }
        if let digits = Self.hexDigits(line), let bytes = try? Hex.decode(digits) {
            // Digits alone could be base64 as well; the bytes tell which.
            if digits.count != line.count || Self.scheme(of: bytes) != nil {
                self.init(text: digits, encoding: .hex, bytes: bytes)
                return
            }
        }
        // Letters that are neither alphabet make no token.
        if let bytes = try? Base64.decode(line) {
            guard line.count >= 4 else { return nil }
            self.init(text: Array(line), encoding: .base64, bytes: bytes)
        } else if let bytes = Self.urlSafe(line), Self.scheme(of: bytes) != nil {
            self.init(text: Array(line), encoding: .base64url, bytes: bytes)
        } else if let bytes = Base64.decodeIgnoringPadding(line), Self.scheme(of: bytes) != nil {
            self.init(text: Array(line), encoding: .base64, bytes: bytes)
        } else {
            return nil
        }
    }

    /// The scheme that the token belongs to, by its first bytes; `nil` where they tell nothing.
    public var scheme: AuthenticationScheme? { encoding == .compactJWT ? .bearer : Self.scheme(of: bytes) }

    private static func scheme(of bytes: [UInt8]) -> AuthenticationScheme? {
        if bytes.starts(with: "NTLMSSP".utf8) { return .ntlm }
        guard let first = bytes.first, bytes.count > 4 else { return nil }
        if startsAsDER(bytes, of: bytes.count) { return .negotiate }
        if isKDCRecord(bytes) || bytes.starts(with: "NEGOEXTS".utf8) { return .negotiate }
        if first == 0x30, UnknownToken(bytes[...]).content() != nil { return .negotiate }
        if PerMessageToken(decoding: bytes[...]) != nil { return .negotiate }
        return bytes.contains(UInt8(ascii: ":")) && bytes.allSatisfy { $0 >= 0x20 } ? .basic : nil
    }

    /// Whether bytes are a message to or from a KDC with the four-byte length of a stream's records before it.
    private static func isKDCRecord(_ bytes: [UInt8]) -> Bool {
        var cursor = ByteCursor(bytes[...])
        guard let length = try? cursor.readBigEndian(UInt32.self, as: "length"), Int(length) == cursor.remaining else {
            return false
        }
        return KDCMessage.startsAsKDCMessage(bytes[4...])
    }

    /// The token as the credentials of its scheme; those of no scheme where its bytes tell none.
    ///
    /// Offsets of problems count from the start of the token's base64.
    public var credentials: Credentials {
        if encoding == .compactJWT { return Self.credentials(.bearer, text) }
        let message = Self.isKDCRecord(bytes) ? Array(bytes.dropFirst(4)) : bytes
        let letters = encoding == .base64 && message.count == bytes.count ? text : Base64.encode(message)
        return Self.credentials(scheme ?? AuthenticationScheme(rawValue: ""), letters)
    }

    private static func credentials(_ scheme: AuthenticationScheme, _ letters: [UInt8]) -> Credentials {
        var element = FieldElement(letters[...], scheme: scheme, offset: 0)
        element.token = letters.indices
        return Credentials(element)
    }

    /// The digits of a line of hexadecimal digits, perhaps with blanks or colons between pairs; `nil` for other lines.
    private static func hexDigits(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let digits = line.starts(with: "0x".utf8) ? line.dropFirst(2) : line
        let plain = digits.filter { !$0.isBlank && $0 != UInt8(ascii: ":") }
        guard plain.count >= 8, plain.count % 2 == 0, plain.allSatisfy({ Hex.value(of: $0) != nil }) else { return nil }
        return Array(plain)
    }

    private static func urlSafe(_ line: ArraySlice<UInt8>) -> [UInt8]? {
        let letters = line.prefix(line.count - line.reversed().prefix { $0 == UInt8(ascii: "=") }.count)
        // The reason is of no use: a line that is none is no token.
        return try? Base64.decode(letters, alphabet: .urlSafe)
    }
}

extension PastedToken {
    /// Whether bytes start as GSS-API, SPNEGO or Kerberos does, and state a length that comes near that of the token.
    ///
    /// Text whose first letter happens to be a tag is told from a token that way. A pasted token may be cut short, so that
    /// a longer length is plausible where it takes two octets or more to state.
    static func startsAsDER(_ bytes: [UInt8], of count: Int) -> Bool {
        // [APPLICATION 0] of GSS-API, NegTokenInit and NegTokenResp, AP-REQ, AP-REP and the messages of a KDC.
        guard bytes.count >= 4, let first = bytes.first,
            [0x60, 0xA0, 0xA1, 0x6E, 0x6F].contains(first) || KDCMessage.startsAsKDCMessage(bytes[...])
        else { return false }
        switch bytes[1] {
        // Words start with the same letters; what must stand inside tells them apart.
        case 0..<0x80: return bytes[2] == (first == 0x60 ? 0x06 : 0x30) && Int(bytes[1]) + 6 >= count
        case 0x81: return bytes[2] >= 0x80
        case 0x82: return bytes[2] > 0
        case 0x83, 0x84: return bytes[2] > 0 || bytes[3] > 0
        default: return false
        }
    }
}
