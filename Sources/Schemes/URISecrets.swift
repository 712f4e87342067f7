import AuthScanBytes

/// Finds in a URI what proves or grants something by itself, and replaces it by its size.
///
/// Three things count, wherever the URI itself is quoted:
/// - the password of userinfo: "Applications should not render as clear text any data after the first colon" (RFC 3986 §3.2.1);
/// - the value of a parameter (of the query, the fragment or a path segment) whose name says that it is a credential: an
///   access token or authorization code (RFC 6750 §2.3, RFC 6749 §4.1.2), a password, a session, the signature of a presigned
///   URL; and a value that is another URI which holds such a thing;
/// - a JSON Web Token in a compact serialization, whatever its name is (RFC 7515 §7.1, RFC 7516 §7.1).
///
/// What is malformed is redacted generously: a secret ends where the next `&` begins, whatever stands in between.
///
/// - Source: RFC 3986 §3.2.1, §3.3, §3.4, §7.5; RFC 6750 §5.3.
public enum URISecrets {
    /// A URI reference without its secrets.
    ///
    /// Linear in its length; a reference without secrets is returned as it is.
    public static func redacted(_ reference: String) -> String { redacted(reference, startsWithAuthority: false) }

    /// A request target without its secrets, in any of the four forms.
    ///
    /// - Source: RFC 9112 §3.2.
    public static func redacted(target: String) -> String {
        let isAuthority = !target.hasPrefix("/") && target.firstRange(of: "://") == nil
        return redacted(target, startsWithAuthority: isAuthority)
    }

    /// A target that is a part of a larger text, which it goes on sharing where it holds no secrets.
    public static func redacted(target: Substring) -> Substring {
        target.utf8.contains(where: isMark) ? Substring(redacted(target: String(target))) : target
    }

    private static func redacted(_ text: String, startsWithAuthority: Bool) -> String {
        // Most targets are a path and nothing else.
        guard text.utf8.contains(where: isMark) else { return text }
        let bytes = Array(text.utf8)
        let secrets = ranges(in: bytes, startsWithAuthority: startsWithAuthority, depth: 0)
        guard !secrets.isEmpty else { return text }
        var result: [UInt8] = []
        var position = 0
        for secret in secrets {
            result += bytes[position..<secret.lowerBound]
            result += Secret(bytes[secret]).description.utf8
            position = secret.upperBound
        }
        return String(decoding: result + bytes[position...], as: UTF8.self)
    }

    /// Whether a byte is one of those of which each secret has one before it, behind it, or in it.
    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "@"): true
        case UInt8(ascii: "J"): true
        default: false
        }
    }

    /// How many URIs may be packed into one another, each percent-encoded.
    private static let deepestNesting = 3
}

// MARK: - Places

extension URISecrets {
    /// Where the secrets lie, in ascending order and apart from each other.
    private static func ranges(in bytes: [UInt8], startsWithAuthority: Bool, depth: Int) -> [Range<Int>] {
        let queryStart = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.count
        var found = passwords(in: bytes, startsWithAuthority: startsWithAuthority)
        found += bytes[..<queryStart].split(separator: UInt8(ascii: "/")).flatMap(secretsOfSegment)
        found += bytes[queryStart...].dropFirst().split(separator: UInt8(ascii: "&")).compactMap {
            secret(inQueryPart: $0, depth: depth)
        }
        var apart: [Range<Int>] = []
        for range in found.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = apart.last, range.lowerBound < last.upperBound {
                apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                apart.append(range)
            }
        }
        return apart
    }

    /// The passwords of the userinfo behind each `//`: a URI may hold others.
    private static func passwords(in bytes: [UInt8], startsWithAuthority: Bool) -> [Range<Int>] {
        let slash = UInt8(ascii: "/")
        var starts = startsWithAuthority ? [0] : []
        starts += bytes.indices.dropFirst(2).filter { bytes[$0 - 1] == slash && bytes[$0 - 2] == slash }
        return starts.compactMap { start in
            let authority = bytes[start...].prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
                let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")), colon + 1 < at
            else { return nil }
            return colon + 1..<at
        }
    }

    /// The secrets of a path segment: a token that it is, or the values of its parameters behind `;`.
    private static func secretsOfSegment(_ segment: ArraySlice<UInt8>) -> [Range<Int>] {
        if isJSONWebToken(segment) { return [segment.indices] }
        return segment.split { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: "&") }.compactMap { part in
            guard let value = value(of: part), isSecretName(part[..<(value.startIndex - 1)]) || isJSONWebToken(value)
            else { return nil }
            return value.indices
        }
    }

    /// The secret in what lies between two `&`; `nil` where there is none.
    ///
    /// Some servers take `;` for `&`, and a fragment or a second `?` starts over: the first piece that is a secret makes
    /// one of all that follows it.
    private static func secret(inQueryPart part: ArraySlice<UInt8>, depth: Int) -> Range<Int>? {
        for piece in part.split(whereSeparator: { [0x3B, 0x3F, 0x23].contains($0) }) {
            let value = value(of: piece)
            if let value, isSecretName(piece[..<(value.startIndex - 1)]) { return value.startIndex..<part.endIndex }
            let content = value ?? piece
            if isJSONWebToken(content) || holdsSecret(content, depth: depth) {
                return content.startIndex..<part.endIndex
            }
        }
        return nil
    }

    /// What follows the first `=`; `nil` where that is nothing.
    private static func value(of parameter: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")), equals + 1 < parameter.endIndex else {
            return nil
        }
        return parameter[(equals + 1)...]
    }

    /// Whether a percent-encoded value is a URI with secrets of its own, such as where to go on after a login.
    private static func holdsSecret(_ value: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard depth < deepestNesting, value.contains(UInt8(ascii: "%")) else { return false }
        let decoded = percentDecoded(value)
        return isJSONWebToken(decoded[...])
            || !ranges(in: decoded, startsWithAuthority: false, depth: depth + 1).isEmpty
    }
}

// MARK: - Kinds

extension URISecrets {
    /// Whether a parameter's name says that its value is a credential, in any letter case and spelling.
    private static func isSecretName(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count <= 128 else { return false }
        let letters = percentDecoded(name).filter(\.isASCIILetterOrDigit)
        let word = String(decoding: letters, as: UTF8.self).lowercased()
        return names.contains(word) || parts.contains { word.contains($0) } || endings.contains { word.hasSuffix($0) }
    }

    /// Whole names.
    ///
    /// `code` is RFC 6749's; the verifiers and other codes RFC 7636's, RFC 8628's and RFC 5849's; `samlresponse`, `samlart`
    /// and `wresult` those of SAML's bindings and WS-Federation; `sig` that of Azure's shared access signatures; `ticket`
    /// that of CAS; `bewit` Hawk's.
    private static let names: Set<String> = [
        "code", "codeverifier", "devicecode", "usercode", "oauthverifier", "samlresponse", "samlart", "wresult", "sig",
        "ticket", "otp", "pin", "key", "pwd", "pass", "passcode", "auth", "authorization", "session", "sid",
        "phpsessid", "hmac", "bewit",
    ]

    private static let parts = ["password", "passwd", "passphrase", "secret"]

    /// How names end.
    ///
    /// `access_token` and its kin of RFC 6749 and OpenID Connect, `X-Amz-Security-Token`; `X-Amz-Signature`,
    /// `X-Goog-Signature`, `oauth_signature`; `client_assertion` of RFC 7521; `jsessionid`; the many names of API keys.
    private static let endings = [
        "token", "signature", "assertion", "sessionid", "jwt", "apikey", "accesskey", "authkey", "appkey", "privatekey",
        "subscriptionkey", "licensekey",
    ]

    /// Whether bytes are a JWS or a JWE in compact serialization: base64url of a JSON object, then two dots or more.
    private static func isJSONWebToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.starts(with: "eyJ".utf8) && bytes.count { $0 == UInt8(ascii: ".") } >= 2
    }

    /// Bytes with each percent-encoded octet decoded; what is no such octet stays.
    ///
    /// - Source: RFC 3986 §2.1.
    private static func percentDecoded(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var decoded: [UInt8] = []
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
                let high = Hex.value(of: bytes[index + 1]), let low = Hex.value(of: bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrDigit: Bool {
        (0x30...0x39).contains(self) || (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self)
    }
}
