import AuthScanBytes

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The readable part of a JSON Web Token: its header and, unless it is encrypted, its claims.
///
///     JWS = header "." claims "." signature          JWE = header "." key "." iv "." ciphertext "." tag
///
/// - Source: RFC 7519 §3, §4.1; RFC 7515 §3.1; RFC 7516 §3.1.
public struct JSONWebToken: Hashable, Sendable {
    /// How the token is protected.
    public enum Serialization: String, Hashable, Sendable {
        /// Three parts: signed, claims readable.
        case jws = "JWS"
        /// Five parts: encrypted, only the header is readable.
        case jwe = "JWE"
    }

    /// How the token is protected.
    public let serialization: Serialization
    /// The header: `alg`, `typ`, `kid` and others.
    public let header: [String: JSONValue]
    /// The claims; empty for an encrypted token, and for a signed one that carries no JSON object.
    public let claims: [String: JSONValue]

    /// Decodes a token in compact serialization; `nil` where the text is none.
    public init?(decoding text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = Self.object(parts[0]) else { return nil }
        serialization = parts.count == 3 ? .jws : .jwe
        self.header = header
        claims = serialization == .jws ? Self.object(parts[1]) ?? [:] : [:]
    }

    /// The JSON object in one part; `nil` where the part holds none, for whatever reason.
    private static func object(_ part: Substring.UTF8View) -> [String: JSONValue]? {
        guard part.count <= 1 << 20, let bytes = try? Base64.decode(Array(part)[...], alphabet: .urlSafe),
            bytes.first == UInt8(ascii: "{")
        else { return nil }
        return try? JSONDecoder().decode([String: JSONValue].self, from: Data(bytes))
    }
}

extension JSONValue: Decodable {
    /// Decodes any JSON value.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each type is tried in turn: a mismatch is no failure but the way to find the type.
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }
}
