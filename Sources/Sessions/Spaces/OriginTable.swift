import AuthScanWire

/// Says which server a request is meant for, and numbers the servers.
///
/// Nearly every request names its server by Host alone, and the same one as the request before it on its connection.
struct OriginTable {
    private struct Named {
        let host: ArraySlice<UInt8>
        let isSecure: Bool
        let server: Int
    }

    /// The servers, in the order in which they are met.
    private(set) var origins: [Origin] = []
    private var numbers: [Origin: Int] = [:]
    /// The server that Host named last, by the place of the connection.
    private var lastNamed: [Named?] = []

    /// The index in `origins` of the server behind any proxy: by the target in absolute-form, the tunnel, the Host field, or the
    /// endpoint.
    ///
    /// `place` counts the connections with transactions from 0.
    ///
    /// - Source: RFC 9112 §3.3.
    mutating func server(of captured: [HTTPTransaction], _ index: Int, on connections: [Connection], place: Int) -> Int
    {
        while lastNamed.count <= place { lastNamed.append(nil) }
        let connection = captured.connection(index) - 1
        guard let host = captured.namingHost(index) else {
            return server(OriginTable.build(captured[index], connections[connection]))
        }
        let isSecure = captured.isSecure(index)
        if let last = lastNamed[place], last.isSecure == isSecure, last.host == host { return last.server }
        let server = server(OriginTable.build(captured[index], connections[connection]))
        lastNamed[place] = Named(host: host, isSecure: isSecure, server: server)
        return server
    }

    /// The index in `origins` of a proxy, which is known by its endpoint.
    mutating func proxy(on connection: Connection) -> Int {
        server(Origin(scheme: "http", endpoint: connection.server))
    }

    private mutating func server(_ origin: Origin) -> Int {
        if let number = numbers[origin] { return number }
        numbers[origin] = origins.count
        origins.append(origin)
        return origins.count - 1
    }

    private static func build(_ http: HTTPTransaction, _ connection: Connection) -> Origin {
        let scheme = http.isSecure ? "https" : "http"
        if let request = http.request {
            if let absolute = Origin(absoluteForm: request.target) { return absolute }
            let authority = request.isConnect ? request.target : http.tunnel ?? request.fields.text(of: .host)
            // The target of CONNECT is spoken to in TLS, as a rule; what the tunnel really carries shows later.
            if let authority,
                let origin = Origin(scheme: request.isConnect ? "https" : scheme, authority: authority)
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
