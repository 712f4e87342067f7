public import AuthScanBytes

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
    /// What is malformed in the claims; its offset counts from the start of the token.
    public let problem: DecodeError?

    /// Decodes a token in compact serialization; `nil` where the text is none.
    public init?(decoding text: String) {
        guard case .success(let token) = Self.read(text) else { return nil }
        self = token
    }

    /// Decodes a token in compact serialization, or says what is wrong with it, by its offset in the text.
    public static func read(_ text: String) -> Result<JSONWebToken, DecodeError> {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5 else {
            return .failure(DecodeError(.invalidValue("has \(parts.count) parts, not three or five"), "JWT", offset: 0))
        }
        do throws(DecodeError) {
            let header = try object(parts[0], "JOSE header", at: 0)
            guard parts.count == 3 else { return .success(JSONWebToken(.jwe, header, [:], nil)) }
            return .success(readClaims(parts[1], at: parts[0].count + 1, beside: header))
        } catch {
            return .failure(error)
        }
    }

    /// A signed token whose claims cannot be read still has its header.
    private static func readClaims(
        _ part: Substring.UTF8View,
        at offset: Int,
        beside header: [String: JSONValue]
    ) -> JSONWebToken {
        do throws(DecodeError) {
            return JSONWebToken(.jws, header, try object(part, "JWT claims", at: offset), nil)
        } catch {
            return JSONWebToken(.jws, header, [:], error)
        }
    }

    /// Whether a text starts as a JSON Web Token does: the letters of `{"` and a dot somewhere.
    static func looksLikeOne(_ text: String) -> Bool { text.hasPrefix("eyJ") && text.contains(".") }

    private init(
        _ serialization: Serialization,
        _ header: [String: JSONValue],
        _ claims: [String: JSONValue],
        _ problem: DecodeError?
    ) {
        self.serialization = serialization
        self.header = header
        self.claims = claims
        self.problem = problem
    }

    /// The JSON object in one part.
    private static func object(
        _ part: Substring.UTF8View,
        _ field: String,
        at offset: Int
    ) throws(DecodeError) -> [String: JSONValue] {
        guard part.count <= 1 << 20 else { throw DecodeError(.limitExceeded(limit: 1 << 20), field, offset: offset) }
        let bytes: [UInt8]
        do throws(DecodeError) {
            bytes = try Base64.decode(Array(part)[...], alphabet: .urlSafe)
        } catch {
            throw DecodeError(error.problem, field, offset: offset + error.offset)
        }
        guard bytes.first == UInt8(ascii: "{") else {
            throw DecodeError(.invalidValue("is no JSON object"), field, offset: offset)
        }
        do {
            return try JSONDecoder().decode([String: JSONValue].self, from: Data(bytes))
        } catch {
            throw DecodeError(.invalidValue("is no JSON"), field, offset: offset)
        }
    }
}

extension JSONWebToken {
    /// What a token's times say about a moment.
    public enum Validity: Hashable, Sendable {
        /// Neither `exp` nor `nbf` is there, or the token is encrypted.
        case unstated
        /// The moment lies within the token's times.
        case valid
        /// The token ended this many seconds before.
        case expired(seconds: Int)
        /// The token begins this many seconds later.
        case notYetValid(seconds: Int)
    }

    /// Holds `nbf` and `exp` against a moment, given in seconds since 1970; no leeway is granted.
    ///
    /// - Source: RFC 7519 §4.1.4, §4.1.5.
    public func validity(at seconds: Int) -> Validity {
        let (end, start) = (time("exp"), time("nbf"))
        // RFC 7519 §4.1.4: `exp` is the time "on or after which the JWT MUST NOT be accepted".
        if let end, seconds >= end { return .expired(seconds: seconds - end) }
        if let start, seconds < start { return .notYetValid(seconds: start - seconds) }
        return end == nil && start == nil ? .unstated : .valid
    }

    /// A claim that holds a NumericDate, in seconds since 1970, rounded down; `nil` where it is none, or beyond the
    /// year 9999.
    public func time(_ claim: String) -> Int? {
        guard let number = claims[claim]?.number, (0..<253_402_300_800).contains(number) else { return nil }
        return Int(number)
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
