import AuthScanSessions
import AuthScanWire

/// A cookie as a response set it, as far as it decides to which requests it belongs.
///
/// - Source: RFC 6265 §5.2 to §5.4.
struct CapturedCookie: Equatable {
    let name: String
    let path: String
    let isSecure: Bool
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
        let domain = (attributes.domain ?? "").lowercased().drop { $0 == "." }
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
        var isSecure = false

        mutating func take(_ part: CookieParts.Part) {
            switch part.name.utf8.count {
            case 4 where part.isNamed("path"): path = part.value
            case 6 where part.isNamed("domain"): domain = part.value
            case 6 where part.isNamed("secure"): isSecure = true
            case 7 where part.isNamed("max-age"): maxAge = part.value
            case 7 where part.isNamed("expires"): expires = part.value
            default: break
            }
        }

        /// RFC 6265 §5.3, step 3: Max-Age has precedence over Expires.
        func lifetime(from time: Timestamp) -> Double? {
            if let age = maxAge.flatMap({ Double($0) }) { return age }
            guard let seconds = expires.flatMap({ CookieDate.seconds(String($0)) }) else { return nil }
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

/// The date of an Expires attribute, read as tolerantly as clients do.
///
/// - Source: RFC 6265 §5.1.1.
enum CookieDate {
    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// Seconds since 1970-01-01 UTC; `nil` where day, month or year cannot be found.
    ///
    /// The time of day is midnight where it cannot be read.
    static func seconds(_ text: String) -> Int? {
        var day: Int?
        var month: Int?
        var year: Int?
        var time = 0
        for token in text.lowercased().split(whereSeparator: { " ,-".contains($0) }) {
            if let clock = timeOfDay(token) {
                time = clock
            } else if let number = Int(token), (0...9999).contains(number) {
                if day == nil, (1...31).contains(number) { day = number } else if year == nil { year = number }
            } else if month == nil {
                month = months.firstIndex(of: String(token.prefix(3))).map { $0 + 1 }
            }
        }
        guard let day, let month, var year else { return nil }
        // RFC 6265 §5.1.1, steps 3 and 4: two-digit years are of 1970 to 2069.
        if year < 70 { year += 2000 } else if year < 100 { year += 1900 }
        return days(year: year, month: month, day: day) * 86_400 + time
    }

    private static func timeOfDay(_ token: Substring) -> Int? {
        let parts = token.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let hour = parts[0], let minute = parts[1], let second = parts[2],
            (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    /// Days since 1970-01-01 in the Gregorian calendar.
    static func days(year: Int, month: Int, day: Int) -> Int {
        // Counting from March puts the leap day at the end of the year.
        let shifted = month > 2 ? year : year - 1
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
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
