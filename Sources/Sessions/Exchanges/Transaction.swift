public import AuthScanSchemes
public import AuthScanWire

/// An HTTP transaction with its authentication fields decoded.
public final class Transaction: Sendable {
    /// The transaction as it was captured.
    public let http: HTTPTransaction

    /// The path of the request target without its query; the whole target where it has no path, empty without request.
    public let path: String

    /// The server that the request is meant for, behind any proxy.
    public let origin: Origin

    /// The decoded authentication fields towards the server.
    public let originFields: AuthenticationFields

    /// The decoded authentication fields towards a proxy.
    public let proxyFields: AuthenticationFields

    /// Decodes the fields of a captured transaction.
    public init(_ http: HTTPTransaction, on connection: Connection) {
        self.http = http
        path = http.request.map { Transaction.path(ofTarget: $0.target) } ?? ""
        origin = Transaction.origin(of: http, on: connection)
        originFields = AuthenticationFields(http, credentials: .authorization, challenges: .wwwAuthenticate)
        proxyFields = AuthenticationFields(http, credentials: .proxyAuthorization, challenges: .proxyAuthenticate)
    }

    /// The decoded fields towards one of the two.
    public func fields(for target: AuthenticationTarget) -> AuthenticationFields {
        target == .origin ? originFields : proxyFields
    }
}

/// The credentials that a request brought and the challenges that its response brought.
public struct AuthenticationFields: Sendable {
    /// What `Authorization` or `Proxy-Authorization` held, one element a field line.
    public let credentials: [Credentials]

    /// What `WWW-Authenticate` or `Proxy-Authenticate` offered, in wire order over all field lines.
    public let challenges: [Challenge]

    init(_ http: HTTPTransaction, credentials: FieldName, challenges: FieldName) {
        self.credentials =
            http.request?.fields.values(of: credentials).map { ChallengeParser.parseCredentials($0) } ?? []
        let target: Challenge.Target = challenges == .wwwAuthenticate ? .origin : .proxy
        self.challenges =
            http.response?.fields.values(of: challenges).flatMap {
                ChallengeParser.parseChallenges($0, target: target)
            } ?? []
    }

    /// The realm of the first challenge that names one.
    public var realm: String? { challenges.lazy.compactMap(\.realm).first }

    /// The offered schemes in wire order, each once.
    public var schemes: [AuthenticationScheme] {
        challenges.reduce(into: []) { schemes, challenge in
            if !schemes.contains(challenge.scheme) { schemes.append(challenge.scheme) }
        }
    }
}

extension Transaction {
    /// The transaction's number in the capture, counted from 1.
    public var number: Int { http.number }

    /// The number of the connection that carried it.
    public var connection: Int { http.connection }

    /// The request; `nil` where the capture lacks it.
    public var request: HTTPRequest? { http.request }

    /// The final response; `nil` where the capture lacks it.
    public var response: HTTPResponse? { http.response }

    /// The status of the final response; `nil` where the capture lacks it.
    public var status: Int? { http.response?.status }

    /// The packet that completed the request's head, or the response's where the request is missing.
    public var packet: Int { http.request?.evidence.headPacket ?? http.response?.evidence.headPacket ?? 0 }

    /// The packet that completed the response's head; `nil` where there is no response.
    public var responsePacket: Int? { http.response?.evidence.headPacket }

    /// When the exchange of messages began.
    public var startTime: Timestamp {
        http.request?.evidence.headTime ?? http.response?.evidence.headTime ?? Timestamp(nanoseconds: 0)
    }

    /// When its last captured head was complete: the response's, or the request's where none came.
    public var endTime: Timestamp { http.response?.evidence.headTime ?? startTime }

    /// The request's URL in full; `nil` where the request is missing.
    ///
    /// - Source: RFC 9112 §3.3 (reconstructing the target URI).
    public var url: String? {
        guard let request else { return nil }
        if Origin(absoluteForm: request.target) != nil { return request.target }
        if request.method == "CONNECT" { return request.target }
        let path = request.target == "*" ? "" : request.target
        return origin.shortDescription + (path.hasPrefix("/") || path.isEmpty ? path : "/" + path)
    }

    /// Whether the request is a CORS preflight.
    ///
    /// - Source: Fetch Standard, "CORS-preflight request".
    public var isPreflight: Bool {
        request?.method == "OPTIONS" && request?.fields.contains(.accessControlRequestMethod) == true
    }

    /// Whether the request fetches what browsers ask for on their own account and users never miss: icons, manifests,
    /// `robots.txt`.
    public var isBackgroundFetch: Bool {
        let name = path.split(separator: "/").last.map { $0.lowercased() } ?? ""
        return name == "favicon.ico" || name.hasPrefix("apple-touch-icon") || name == "robots.txt"
            || name == "manifest.json" || name.hasSuffix(".webmanifest") || name == "browserconfig.xml"
            || request?.fields.text(of: .secFetchDest) == "manifest"
    }

    /// Whether the response announces the end of its connection: `Connection: close`, or HTTP/1.0 without `keep-alive`.
    ///
    /// - Source: RFC 9112 §9.3.
    public var announcesClose: Bool {
        guard let response else { return false }
        let options = (response.fields.texts(of: .connection) + response.fields.texts(of: .proxyConnection))
            .joined(separator: ",").lowercased()
        if options.contains("close") { return true }
        return response.version == "HTTP/1.0" && !options.contains("keep-alive")
    }

    /// Whether both heads are there and whole, so that a field which is not seen was not sent.
    public var isComplete: Bool { request?.isHeadComplete == true && response?.isHeadComplete == true }

    /// Whether the request looks like the submission of a login form that was answered with a cookie.
    public var isFormLogin: Bool {
        guard let request, request.method == "POST", response?.fields.contains(.setCookie) == true else { return false }
        let path = path.lowercased()
        return ["login", "logon", "signin", "sign-in", "auth", "session", "j_security_check"].contains {
            path.contains($0)
        }
    }

    /// The path of a target in origin-form or absolute-form; any other form as it is.
    ///
    /// - Source: RFC 9112 §3.2.
    private static func path(ofTarget target: String) -> String {
        let end = target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        if target.hasPrefix("/") { return String(target[..<end]) }
        guard let scheme = target[..<end].firstRange(of: "://") else { return String(target[..<end]) }
        let slash = target[scheme.upperBound..<end].utf8.firstIndex(of: UInt8(ascii: "/"))
        return slash.map { String(target[$0..<end]) } ?? "/"
    }

    private static func origin(of http: HTTPTransaction, on connection: Connection) -> Origin {
        let scheme = http.isSecure ? "https" : "http"
        if let request = http.request {
            if let absolute = Origin(absoluteForm: request.target) { return absolute }
            let authority = request.method == "CONNECT" ? request.target : http.tunnel ?? request.fields.text(of: .host)
            // The target of CONNECT is spoken to in TLS, as a rule; what the tunnel really carries shows later.
            if let authority,
                let origin = Origin(scheme: request.method == "CONNECT" ? "https" : scheme, authority: authority)
            {
                return origin
            }
        }
        if let tunnel = http.tunnel, let origin = Origin(scheme: scheme, authority: tunnel) { return origin }
        return Origin(scheme: scheme, endpoint: connection.server)
    }
}

extension Origin {
    /// The origin of an absolute-form request target; `nil` for any other form.
    ///
    /// - Source: RFC 9112 §3.2.2.
    init?(absoluteForm target: String) {
        guard !target.hasPrefix("/"), let separator = target.firstRange(of: "://") else { return nil }
        let scheme = target[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let authority = target[separator.upperBound...].prefix { $0 != "/" && $0 != "?" }
        self.init(scheme: scheme, authority: authority)
    }
}
