import AuthScanBytes
import AuthScanWire

extension Transaction {
    /// Whether a request for data, which no person navigates to, is redirected to a login address.
    ///
    /// A login or logout itself is no such request.
    ///
    /// - Source: RFC 9110 §15.4, §15.5.2.
    public var isDataRequestSentToLogin: Bool {
        // Nearly every transaction is answered otherwise: nothing is looked for in it.
        guard let status, status == 301 || status == 302 || status == 303 || status == 307 || status == 308,
            let location = response?.fields.first(.location), isDataRequest
        else { return false }
        return Transaction.isLoginAddress(location) && !Transaction.isAboutLogin(request?.targetBytes ?? [])
    }

    /// Whether the request says that it wants data, and does not take a page instead.
    private var isDataRequest: Bool {
        guard let fields = request?.fields else { return false }
        let accept = fields.texts(of: .accept).joined(separator: ",").lowercased()
        if accept.contains("text/html") || accept.contains("application/xhtml") { return false }
        // Web views of Android name the app's package in the field, also when a person navigates.
        return accept.contains("application/json")
            || fields.text(of: .xRequestedWith)?.lowercased() == "xmlhttprequest"
    }

    /// Whether a reference leads to where people sign in.
    private static func isLoginAddress(_ reference: ArraySlice<UInt8>) -> Bool {
        let (path, query) = parts(of: reference)
        if query.contains("wa=wsignin1.0") { return true }
        if path.contains("/adfs/ls") { return true }
        let segments = segments(of: path)
        if segments.contains(where: isLoginSegment) { return true }
        return segments.last == "authorize" && segments.contains { $0 == "oauth" || $0 == "oauth2" }
    }

    /// Whether a target is one of a login or logout.
    private static func isAboutLogin(_ target: ArraySlice<UInt8>) -> Bool {
        let (path, query) = parts(of: target)
        if query.contains("wa=wsign") || path.contains("/adfs/") { return true }
        return segments(of: path).contains { segment in
            segment == "sso" || aboutLogin.contains { segment.contains($0) }
        }
    }

    private static let aboutLogin = [
        "login", "logon", "logout", "logoff", "sign", "auth", "saml", "session", "token",
    ]

    /// A segment that names a login as a whole: `login.aspx`, `users/sign_in`, `saml2`.
    private static func isLoginSegment(_ segment: String) -> Bool {
        ["login", "logon", "signin", "saml", "saml2", "samlp"].contains { segment == $0 }
            || segment.hasSuffix("login") || segment.hasSuffix("signin")
    }

    /// The path and query of a reference, in lower case.
    private static func parts(of reference: ArraySlice<UInt8>) -> (path: String, query: String) {
        let text = fieldText(reference).lowercased()
        let parts = text.prefix { $0 != "#" }.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let whole = parts.first.map(String.init) ?? ""
        let query = parts.count > 1 ? String(parts[1]) : ""
        guard !whole.hasPrefix("/") || whole.hasPrefix("//"), let start = whole.firstRange(of: "//") else {
            return (whole, query)
        }
        return (String(whole[start.upperBound...].drop { $0 != "/" }), query)
    }

    /// The segments of a path without extensions, parameters, hyphens and underscores.
    private static func segments(of path: String) -> [String] {
        path.split(separator: "/").map { segment in
            segment.prefix { $0 != "." && $0 != ";" }.filter { $0 != "-" && $0 != "_" }
        }
    }
}
