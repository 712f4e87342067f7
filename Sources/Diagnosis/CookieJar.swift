import AuthScanSessions
import AuthScanWire

/// A cookie as a response set it, as far as it decides to which requests it belongs.
///
/// - Source: RFC 6265 §5.2 to §5.4.
struct CapturedCookie: Equatable {
    let name: String
    let path: String
    let isSecure: Bool
    /// The Domain that the field names, without its first dot; empty where it names none.
    let domain: String
    /// The value of SameSite in lower case; empty where the field has none.
    let sameSite: String
    /// Whether the field names a Domain that the host does not belong to: the client must drop the cookie.
    let isForeign: Bool
    /// Whether the field deletes the cookie: it had expired when it came.
    let isDeletion: Bool
    /// How long the cookie lives after it came, in seconds; `nil` for one that lasts as long as the client likes.
    let lifetime: Double?

    /// Reads a Set-Cookie field that came at a time; `nil` where it has no name.
    init?(setCookie: String, host: String, requestPath: some StringProtocol, time: Timestamp) {
        var parts = CookieParts(setCookie)
        guard let pair = parts.next(), pair.hasValue, !pair.name.isEmpty else { return nil }
        name = String(pair.name)
        var attributes = Attributes()
        while let part = parts.next() { attributes.take(part) }
        // RFC 6265 §5.1.4: up to, but not including, the right-most slash; "/" where that is nothing.
        let directory = requestPath.lastIndex(of: "/").map { String(requestPath[..<$0]) } ?? ""
        let stated = attributes.path.flatMap { $0.utf8.first == UInt8(ascii: "/") ? String($0) : nil }
        path = stated ?? (directory.isEmpty ? "/" : directory)
        isSecure = attributes.isSecure
        domain = String((attributes.domain ?? "").lowercased().drop { $0 == "." })
        sameSite = (attributes.sameSite ?? "").lowercased()
        isForeign = !domain.isEmpty && host != domain && !host.hasSuffix("." + domain)
        lifetime = attributes.lifetime(from: time)
        isDeletion = lifetime.map { $0 <= 0 } ?? false
    }

    /// The attributes that count; of several with one name the last one.
    private struct Attributes {
        var path: Substring?
        var domain: Substring?
        var maxAge: Substring?
        var expires: Substring?
        var sameSite: Substring?
        var isSecure = false

        mutating func take(_ part: CookieParts.Part) {
            switch part.name.utf8.count {
            case 4 where part.isNamed("path"): path = part.value
            case 6 where part.isNamed("domain"): domain = part.value
            case 6 where part.isNamed("secure"): isSecure = true
            case 7 where part.isNamed("max-age"): maxAge = part.value
            case 7 where part.isNamed("expires"): expires = part.value
            case 8 where part.isNamed("samesite"): sameSite = part.value
            default: break
            }
        }

        /// RFC 6265 §5.3, step 3: Max-Age has precedence over Expires.
        func lifetime(from time: Timestamp) -> Double? {
            if let age = maxAge.flatMap({ Double($0) }) { return age }
            guard let seconds = expires.flatMap({ HTTPDate.seconds(String($0)) }) else { return nil }
            return Double(seconds) - Double(time.nanoseconds) / 1e9
        }
    }

    /// Whether a request for a path must bring the cookie.
    ///
    /// - Source: RFC 6265 §5.1.4 (path-match) and §5.4.
    func belongs(toPath requestPath: some StringProtocol, isSecureRequest: Bool) -> Bool {
        guard !isSecure || isSecureRequest, requestPath.hasPrefix(path) else { return false }
        return path.hasSuffix("/") || requestPath.utf8.count == path.utf8.count
            || requestPath.dropFirst(path.count).first == "/"
    }
}

/// The parts of a Set-Cookie field between its semicolons.
private struct CookieParts {
    /// A name and what follows its equals sign, without white space at their ends.
    struct Part {
        let name: Substring
        /// Empty where there is no equals sign.
        let value: Substring
        let hasValue: Bool

        /// Whether it has a name, given in lower case.
        func isNamed(_ lowercased: String) -> Bool {
            name.utf8.elementsEqual(lowercased.utf8) { ($0 &- 0x41 < 26 ? $0 | 0x20 : $0) == $1 }
        }
    }

    private let field: Substring
    /// Where the next part begins; `nil` after the last one.
    private var start: String.Index?

    init(_ field: String) {
        self.field = Substring(field)
        start = field.startIndex
    }

    /// The next part; `nil` after the last one.
    mutating func next() -> Part? {
        guard let begin = start else { return nil }
        let rest = field.utf8[begin...]
        let end = rest.firstIndex(of: UInt8(ascii: ";"))
        start = end.map { rest.index(after: $0) }
        let part = rest[..<(end ?? rest.endIndex)]
        guard let equals = part.firstIndex(of: UInt8(ascii: "=")) else {
            return Part(name: Substring(part).trimmed, value: "", hasValue: false)
        }
        let value = Substring(part[part.index(after: equals)...])
        return Part(name: Substring(part[..<equals]).trimmed, value: value.trimmed, hasValue: true)
    }
}

extension Transaction {
    /// The cookies that the response sets.
    var setCookies: [CapturedCookie] {
        response?.fields.texts(of: .setCookie).compactMap {
            CapturedCookie(setCookie: $0, host: origin.host, requestPath: path, time: endTime)
        } ?? []
    }

    /// The names of the cookies that the request brings.
    var cookieNames: [String] {
        request?.fields.texts(of: .cookie).flatMap { field in
            field.utf8.split(separator: UInt8(ascii: ";")).map { pair in
                String(Substring(pair.prefix { $0 != UInt8(ascii: "=") }).trimmed)
            }
        } ?? []
    }
}

extension Substring {
    /// The text without white space at its ends.
    fileprivate var trimmed: Substring {
        let isBlank = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
        let start = utf8.firstIndex { !isBlank($0) } ?? endIndex
        let end = utf8.lastIndex { !isBlank($0) }.map { utf8.index(after: $0) } ?? start
        return self[start..<end]
    }
}
