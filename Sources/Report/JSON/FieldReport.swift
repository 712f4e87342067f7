import AuthScanSchemes

/// Renders one header field, or one bare token, decoded in full, as indented JSON.
public struct FieldReport: Sendable {
    private let secrets: SecretPolicy

    /// Prepares a renderer.
    public init(secrets: SecretPolicy) { self.secrets = secrets }

    /// The decoded field as UTF-8 text with a line end.
    ///
    /// A field name tells challenges from credentials. Without one, the value is read as credentials; a bare base64 token
    /// is recognised by its first letters: NTLM's signature, or the tags of SPNEGO and Kerberos.
    public func render(_ line: String) -> [UInt8] {
        let (name, value) = split(line)
        let bytes = Array(value.utf8)[...]
        let token = TokenJSON(secrets: secrets)
        var writer = JSONWriter()
        if name.hasSuffix("authenticate") {
            writer.array(ChallengeParser.parseChallenges(bytes)) { token.write($1, to: &$0) }
        } else {
            token.write(ChallengeParser.parseCredentials(bytes), to: &writer)
        }
        return indented(writer.bytes) + [0x0A]
    }

    private func split(_ line: String) -> (name: String, value: String) {
        let text = line.drop { $0 == " " || $0 == ">" || $0 == "<" }
        let known = ["authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate"]
        if let colon = text.firstIndex(of: ":"), known.contains(text[..<colon].lowercased()) {
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            return (text[..<colon].lowercased(), String(value))
        }
        if text.hasPrefix("TlRMTVNT") { return ("", "NTLM \(text)") }
        if !text.contains(" "), ["YI", "oY", "oU", "bo", "fo"].contains(text.prefix(2)) {
            return ("", "Negotiate \(text)")
        }
        return ("", String(text))
    }

    /// The same JSON, a member a line.
    private func indented(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var depth = 0
        var isInString = false
        var isEscaped = false
        for byte in json {
            if isInString {
                result.append(byte)
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else {
                    isInString = byte != 0x22
                }
                continue
            }
            switch byte {
            case 0x22:
                isInString = true
                result.append(byte)
            case 0x7B, 0x5B:
                depth += 1
                result += [byte, 0x0A] + [UInt8](repeating: 0x20, count: depth * 2)
            case 0x7D, 0x5D:
                depth -= 1
                result += [0x0A] + [UInt8](repeating: 0x20, count: depth * 2) + [byte]
            case 0x2C: result += [byte, 0x0A] + [UInt8](repeating: 0x20, count: depth * 2)
            case 0x3A: result += [byte, 0x20]
            default: result.append(byte)
            }
        }
        return result
    }
}
