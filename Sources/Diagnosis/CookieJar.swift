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
    /// Whether the field deletes the cookie.
    let isDeletion: Bool

    /// Reads a Set-Cookie field; `nil` where it has no name.
    init?(setCookie: String, host: String, requestPath: String) {
        let parts = setCookie.split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmed }
        guard let equals = parts.first?.firstIndex(of: "="), let pair = parts.first else { return nil }
        name = String(pair[..<equals].trimmed)
        guard !name.isEmpty else { return nil }
        var attributes: [String: String] = [:]
        for part in parts.dropFirst() {
            let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            attributes[halves[0].trimmed.lowercased()] = halves.count > 1 ? String(halves[1].trimmed) : ""
        }
        let directory = requestPath.lastIndex(of: "/").map { String(requestPath[..<$0]) } ?? ""
        let stated = attributes["path"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        path = stated ?? (directory.isEmpty ? "/" : directory)
        isSecure = attributes["secure"] != nil
        let domain = (attributes["domain"] ?? "").lowercased().drop { $0 == "." }
        isForeign = !domain.isEmpty && host != domain && !host.hasSuffix("." + domain)
        isDeletion =
            attributes["max-age"].flatMap { Int($0) }.map { $0 <= 0 }
            ?? (attributes["expires"]?.contains("1970") == true)
    }

    /// Whether a request for a path must bring the cookie.
    func belongs(toPath requestPath: String, isSecureRequest: Bool) -> Bool {
        guard !isSecure || isSecureRequest, requestPath.hasPrefix(path) else { return false }
        return path.hasSuffix("/") || requestPath.count == path.count
            || requestPath.dropFirst(path.count).first == "/"
    }
}

extension Transaction {
    /// The cookies that the response sets.
    var setCookies: [CapturedCookie] {
        response?.fields.texts(of: .setCookie).compactMap {
            CapturedCookie(setCookie: $0, host: origin.host, requestPath: path)
        } ?? []
    }

    /// The names of the cookies that the request brings.
    var cookieNames: [String] {
        request?.fields.texts(of: .cookie).flatMap { field in
            field.split(separator: ";").map { String($0.prefix { $0 != "=" }.trimmed) }
        } ?? []
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    fileprivate var trimmed: SubSequence {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
        return self[start..<end]
    }
}
