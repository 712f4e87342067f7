import AuthScanSessions
import AuthScanWire

/// What a request asks for: a server, and the path and query there.
struct RequestedResource: Equatable {
    let origin: Origin
    let pathAndQuery: String
}

extension Transaction {
    /// What the request asks for.
    var requestedResource: RequestedResource? {
        guard let target = request?.target else { return nil }
        return RequestedResource(origin: origin, pathAndQuery: Transaction.pathAndQuery(of: target))
    }

    /// Whether the answer is a redirect that clients follow.
    ///
    /// - Source: RFC 9110 §15.4.
    var isRedirect: Bool {
        switch status {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }

    /// Where the response redirects to; `nil` where it does not say, or not in a way that servers use.
    ///
    /// - Source: RFC 9110 §10.2.2; RFC 3986 §5.2.
    var redirectTarget: RequestedResource? {
        guard let field = response?.fields.text(of: .location) else { return nil }
        // The fragment is for the client alone.
        let location = String(field.prefix { $0 != "#" })
        if location.hasPrefix("//") { return Transaction.resource(location, scheme: origin.scheme) }
        if location.hasPrefix("/") { return RequestedResource(origin: origin, pathAndQuery: location) }
        guard let separator = location.firstRange(of: "://") else {
            let directory = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
            return RequestedResource(origin: origin, pathAndQuery: directory + location)
        }
        let scheme = location[..<separator.lowerBound].lowercased()
        return Transaction.resource(String(location[separator.lowerBound...].dropFirst()), scheme: scheme)
    }

    /// The resource of a reference that starts with two slashes and an authority.
    private static func resource(_ reference: String, scheme: String) -> RequestedResource? {
        let authority = reference.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
        guard let origin = Origin(scheme: scheme, authority: authority) else { return nil }
        return RequestedResource(origin: origin, pathAndQuery: pathAndQuery(of: "\(scheme):\(reference)"))
    }

    /// The path and query of a request target in origin-form or absolute-form.
    private static func pathAndQuery(of target: String) -> String {
        guard !target.hasPrefix("/"), let separator = target.firstRange(of: "://") else { return target }
        let rest = target[separator.upperBound...].drop { $0 != "/" && $0 != "?" }
        return rest.hasPrefix("/") ? String(rest) : "/" + rest
    }
}
