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
        // What it starts with matters to userinfo alone.
        let isAuthority =
            target.utf8.contains(UInt8(ascii: "@")) && !target.hasPrefix("/") && target.firstRange(of: "://") == nil
        return redacted(target, startsWithAuthority: isAuthority)
    }

    /// A target that is a part of a larger text, which it goes on sharing where it holds no secrets.
    public static func redacted(target: Substring) -> Substring {
        target.utf8.contains(where: isMark) ? Substring(redacted(target: String(target))) : target
    }

    private static func redacted(_ text: String, startsWithAuthority: Bool) -> String {
        // Most targets are a path and nothing else. A report has two for each transaction: no split, no string a parameter.
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

    /// Whether a byte is one of those of which each secret has one beside it or in it.
    private static func isMark(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: "@"): true
        case UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "J"): true
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
        var found: [Range<Int>] = []
        if bytes.contains(UInt8(ascii: "@")) { addPasswords(in: bytes, startsWithAuthority, to: &found) }
        addSecrets(ofPath: 0..<queryStart, in: bytes, depth: depth, to: &found)
        var start = queryStart + 1
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            if let secret = secret(inQueryPart: start..<end, of: bytes, depth: depth) { found.append(secret) }
            start = end + 1
        }
        return found.count < 2 ? found : apart(found)
    }

    /// Overlapping ranges as one.
    private static func apart(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var apart: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = apart.last, range.lowerBound < last.upperBound {
                apart[apart.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                apart.append(range)
            }
        }
        return apart
    }

    /// The passwords of the userinfo behind each `//`: a URI may hold others.
    private static func addPasswords(in bytes: [UInt8], _ startsWithAuthority: Bool, to found: inout [Range<Int>]) {
        let slash = UInt8(ascii: "/")
        for start in bytes.indices {
            let isStart =
                start == 0 ? startsWithAuthority : start > 1 && bytes[start - 1] == slash && bytes[start - 2] == slash
            guard isStart else { continue }
            let authority = bytes[start...].prefix { $0 != slash && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            guard let at = authority.lastIndex(of: UInt8(ascii: "@")),
                let colon = authority[..<at].firstIndex(of: UInt8(ascii: ":")), colon + 1 < at
            else { continue }
            found.append(colon + 1..<at)
        }
    }

    /// The secrets of a path: tokens that are segments, and the values of a segment's parameters behind `;`.
    private static func addSecrets(
        ofPath path: Range<Int>,
        in bytes: [UInt8],
        depth: Int,
        to found: inout [Range<Int>]
    ) {
        var start = path.lowerBound
        var equals: Int?
        for index in path.lowerBound...path.upperBound {
            let byte = index < path.upperBound ? bytes[index] : UInt8(ascii: "/")
            if byte == UInt8(ascii: "="), equals == nil { equals = index }
            guard byte == UInt8(ascii: "/") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "&") else { continue }
            let value = (equals.map { $0 + 1 } ?? start)..<index
            let isNamed = equals.map { isSecretName(start..<$0, in: bytes) } ?? false
            let isSecret = isNamed || isJSONWebToken(value, in: bytes) || holdsSecret(bytes[value], depth: depth)
            if isSecret, !value.isEmpty { found.append(value) }
            start = index + 1
            equals = nil
        }
    }

    /// The secret in what lies between two `&`; `nil` where there is none.
    ///
    /// Some servers take `;` for `&`, and a fragment or a second `?` starts over: the first piece that is a secret makes
    /// one of all that follows it.
    private static func secret(inQueryPart part: Range<Int>, of bytes: [UInt8], depth: Int) -> Range<Int>? {
        var start = part.lowerBound
        while start < part.upperBound {
            var end = start
            var equals: Int?
            while end < part.upperBound, !startsOver(bytes[end]) {
                if bytes[end] == UInt8(ascii: "="), equals == nil { equals = end }
                end += 1
            }
            let value = (equals.map { $0 + 1 } ?? start)..<end
            let isNamed = equals.map { isSecretName(start..<$0, in: bytes) } ?? false
            if isNamed || isJSONWebToken(value, in: bytes) || holdsSecret(bytes[value], depth: depth) {
                let secret = value.lowerBound..<part.upperBound
                return secret.isEmpty ? nil : secret
            }
            start = end + 1
        }
        return nil
    }

    private static func startsOver(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    /// Whether a percent-encoded value is a URI with secrets of its own, such as where to go on after a login.
    private static func holdsSecret(_ value: ArraySlice<UInt8>, depth: Int) -> Bool {
        guard depth < deepestNesting, value.contains(UInt8(ascii: "%")) else { return false }
        let decoded = percentDecoded(value)
        return isJSONWebToken(decoded.indices, in: decoded)
            || !ranges(in: decoded, startsWithAuthority: false, depth: depth + 1).isEmpty
    }

    /// Whether bytes are a JWS or a JWE in compact serialization: base64url of a JSON object, then two dots or more.
    private static func isJSONWebToken(_ range: Range<Int>, in bytes: [UInt8]) -> Bool {
        range.count > 4 && bytes[range].starts(with: "eyJ".utf8) && bytes[range].count { $0 == UInt8(ascii: ".") } >= 2
    }
}

// MARK: - Names

extension URISecrets {
    /// Whether a parameter's name says that its value is a credential, in any letter case and spelling.
    private static func isSecretName(_ name: Range<Int>, in bytes: [UInt8]) -> Bool {
        guard (1...longestName).contains(name.count) else { return false }
        guard !bytes[name].contains(UInt8(ascii: "%")) else {
            let decoded = percentDecoded(bytes[name])
            return !decoded.contains(UInt8(ascii: "%")) && isSecretName(decoded.indices, in: decoded)
        }
        var last = name.upperBound - 1
        while last > name.lowerBound, bytes[last].foldedLetter == nil { last -= 1 }
        guard let letter = bytes[last].foldedLetter else { return false }
        for word in words[Int(letter)] {
            guard let start = start(of: word.letters, endingAt: last, in: bytes, from: name.lowerBound) else {
                continue
            }
            if !word.isWholeName || !bytes[name.lowerBound..<start].contains(where: { $0.foldedLetter != nil }) {
                return true
            }
        }
        return name.count >= shortestPart && holdsPart(name, in: bytes)
    }

    /// Where a word begins whose last letter stands at `last`, whatever stands between its letters that is none.
    private static func start(of word: [UInt8], endingAt last: Int, in bytes: [UInt8], from first: Int) -> Int? {
        var index = last
        var rest = word[...]
        while index >= first {
            if let letter = bytes[index].foldedLetter {
                guard letter == rest.popLast() else { return nil }
                if rest.isEmpty { return index }
            }
            index -= 1
        }
        return nil
    }

    private static func holdsPart(_ name: Range<Int>, in bytes: [UInt8]) -> Bool {
        let letters = bytes[name].compactMap(\.foldedLetter)
        return parts.contains { letters.firstRange(of: $0) != nil }
    }

    private static let longestName = 128

    /// A word of letters, each 0 for `a` to 25 for `z`.
    private struct Word {
        let letters: [UInt8]
        /// Whether it is a credential's name where it stands alone, and not where other letters precede it.
        let isWholeName: Bool
    }

    /// By last letter.
    private static let words: [[Word]] = {
        var words = [[Word]](repeating: [], count: 26)
        for (list, isWholeName) in [(names, true), (endings, false)] {
            for letters in list.map(folded) {
                if let last = letters.last { words[Int(last)].append(Word(letters: letters, isWholeName: isWholeName)) }
            }
        }
        return words
    }()

    private static func folded(_ word: String) -> [UInt8] { word.utf8.compactMap(\.foldedLetter) }

    /// Whole names.
    ///
    /// `code` is RFC 6749's; the verifiers and other codes RFC 7636's, RFC 8628's and RFC 5849's; `samlresponse`, `samlart`
    /// and `wresult` those of SAML's bindings and WS-Federation; `sig` that of Azure's shared access signatures; `ticket`
    /// that of CAS; `bewit` Hawk's.
    private static let names = [
        "code", "codeverifier", "devicecode", "usercode", "oauthverifier", "samlresponse", "samlart", "wresult", "sig",
        "ticket", "otp", "pin", "key", "pwd", "pass", "passcode", "auth", "authorization", "session", "sid",
        "phpsessid", "hmac", "bewit",
    ]

    /// How names end.
    ///
    /// `access_token` and its kin of RFC 6749 and OpenID Connect, `X-Amz-Security-Token`; `X-Amz-Signature`,
    /// `X-Goog-Signature`, `oauth_signature`; `client_assertion` of RFC 7521; `jsessionid`; the many names of API keys.
    private static let endings = [
        "token", "signature", "assertion", "sessionid", "jwt", "apikey", "accesskey", "authkey", "appkey", "privatekey",
        "subscriptionkey", "licensekey",
    ]

    /// What makes a credential's name of any that holds it.
    private static let parts = ["password", "passwd", "passphrase", "secret"].map(folded)
    private static let shortestPart = 6

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
    /// 0 for `a` or `A` to 25 for `z` or `Z`; `nil` for all else.
    fileprivate var foldedLetter: UInt8? {
        let letter = (self | 0x20) &- 0x61
        return letter < 26 ? letter : nil
    }
}
