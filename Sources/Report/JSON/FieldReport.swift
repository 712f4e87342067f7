import AuthScanBytes
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

    /// A field name tells challenges from credentials; without one, the value is read as credentials.
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
        if let scheme = scheme(ofBareToken: text) { return ("", "\(scheme) \(text)") }
        return ("", String(text))
    }

    /// The scheme that a token without one belongs to, by its first bytes; `nil` where they tell nothing.
    private func scheme(ofBareToken text: Substring) -> String? {
        if text.hasPrefix("eyJ"), text.contains(".") { return "Bearer" }
        // What is no base64 is no token that could be told by its bytes.
        guard let bytes = try? Base64.decode(Array(text.utf8)[...]), let first = bytes.first else { return nil }
        if bytes.starts(with: "NTLMSSP\0".utf8) { return "NTLM" }
        // [APPLICATION 0] of GSS-API, NegTokenInit and NegTokenResp, AP-REQ, AP-REP and KRB-ERROR.
        if [0x60, 0xA0, 0xA1, 0x6E, 0x6F, 0x7E].contains(first), bytes.count > 4 { return "Negotiate" }
        return bytes.contains(0x3A) && bytes.allSatisfy { $0 >= 0x20 } ? "Basic" : nil
    }
}
