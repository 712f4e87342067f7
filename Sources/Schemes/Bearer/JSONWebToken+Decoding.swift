#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import AuthScanBytes

extension JSONWebToken {
    /// Decodes a token in compact serialization; `nil` where the text is none.
    public init?(decoding text: String) {
        let parts = text.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, let header = JSONWebToken.object(Array(parts[0])) else {
            return nil
        }
        self.header = header
        serialization = parts.count == 3 ? .jws : .jwe
        claims = parts.count == 3 ? JSONWebToken.object(Array(parts[1])) ?? [:] : [:]
    }

    private static func object(_ text: [UInt8]) -> [String: JSONValue]? {
        // A part that is no base64url, or no JSON object, makes the text no JSON Web Token, whatever the reason.
        guard let json = try? Base64.decode(text[...], alphabet: .urlSafe) else { return nil }
        return try? JSONDecoder().decode([String: JSONValue].self, from: Data(json))
    }
}

extension JSONValue: Decodable {
    /// Decodes whatever value stands there.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        // Each attempt that fails says no more than that the value is of another kind.
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
