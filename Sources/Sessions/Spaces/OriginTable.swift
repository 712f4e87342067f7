import AuthScanWire

/// Says which server a request is meant for; requests with the same Host field share one value.
struct OriginTable {
    private struct Key: Hashable {
        let host: ArraySlice<UInt8>
        let isSecure: Bool
    }

    private var origins: [Key: Origin] = [:]

    /// The server behind any proxy: by the target in absolute-form, the tunnel, the Host field, or the endpoint.
    ///
    /// - Source: RFC 9112 §3.3.
    mutating func origin(of http: HTTPTransaction, on connection: Connection) -> Origin {
        // Nearly every request names its server by Host alone, and the same one as many others.
        guard http.tunnel == nil, let request = http.request, request.target.utf8.first == UInt8(ascii: "/"),
            request.method != "CONNECT", let host = request.fields.first(.host)
        else { return OriginTable.build(http, connection) }
        let key = Key(host: host, isSecure: http.isSecure)
        if let origin = origins[key] { return origin }
        let origin = Origin(scheme: http.isSecure ? "https" : "http", authority: FieldLines.text(host))
        origins[key] = origin
        return origin ?? OriginTable.build(http, connection)
    }

    private static func build(_ http: HTTPTransaction, _ connection: Connection) -> Origin {
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
        guard target.utf8.first != UInt8(ascii: "/"), let separator = target.firstRange(of: "://") else { return nil }
        let scheme = target[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        let authority = target[separator.upperBound...].prefix { $0 != "/" && $0 != "?" }
        self.init(scheme: scheme, authority: authority)
    }
}
