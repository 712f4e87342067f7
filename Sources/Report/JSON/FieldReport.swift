import AuthScanSchemes

/// Renders one header field, or one bare token, decoded in full.
public struct FieldReport: Sendable {
    private let secrets: SecretPolicy

    /// Prepares a renderer.
    public init(secrets: SecretPolicy) { self.secrets = secrets }

    /// The decoded field as lines for people: a name and its value each, without what is not there.
    public func text(_ line: String) -> String { JSONOutline.text(write(line)) }

    /// The decoded field as JSON with a line end: an array of CHALLENGE, or a CREDENTIALS, of schema `authscan/1`.
    public func json(_ line: String) -> [UInt8] { write(line) + [0x0A] }

    /// A field name tells challenges from credentials. Without one, the value is read as credentials; a bare base64 token
    /// is recognised by its first letters: NTLM's signature, or the tags of SPNEGO and Kerberos.
    private func write(_ line: String) -> [UInt8] {
        let (name, value) = split(line)
        let bytes = Array(value.utf8)[...]
        let token = TokenJSON(secrets: secrets)
        var writer = JSONWriter()
        if name.hasSuffix("authenticate") {
            writer.array(ChallengeParser.parseChallenges(bytes)) { token.write($1, to: &$0) }
        } else {
            token.write(ChallengeParser.parseCredentials(bytes), to: &writer)
        }
        return writer.bytes
    }

    private func split(_ line: String) -> (name: String, value: String) {
        let text = line.drop { $0 == " " || $0 == ">" || $0 == "<" }
        let known = ["authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate"]
        if let colon = text.firstIndex(of: ":"), known.contains(text[..<colon].lowercased()) {
            let value = text[text.index(after: colon)...].drop { $0 == " " }
            return (text[..<colon].lowercased(), String(value))
        }
        if text.hasPrefix("TlRMTVNT") { return ("", "NTLM \(text)") }
        if !text.contains(" "), ["YI", "oY", "oU", "bo", "fo"].contains(text.prefix(2)) { return ("", "Negotiate \(text)") }
        return ("", String(text))
    }
}
