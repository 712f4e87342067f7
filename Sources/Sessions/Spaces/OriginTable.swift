import AuthScanBytes
import AuthScanWire

/// Says which server a request is meant for, and numbers the servers.
///
/// Nearly every request names its server by Host alone.
struct OriginTable {
    /// What Host says, and whether it said so inside TLS.
    private struct Host: Hashable {
        let value: ByteKey
        let isSecure: Bool
    }

    /// The servers, in the order in which they are met.
    private(set) var origins: [Origin] = []
    private var numbers: [Origin: Int] = [:]
    /// The servers that Host has named so far.
    private var named: [Host: Int] = [:]

    /// The index in `origins` of the server behind any proxy: by the target in absolute-form, the tunnel, the Host field, or the
    /// endpoint.
    ///
    /// - Source: RFC 9112 §3.3.
    mutating func server(of captured: CapturedTransactions, _ index: Int, on connections: [Connection]) -> Int {
        if let host = captured.namingHost(index),
            let server = server(of: Host(value: ByteKey(bytes: host), isSecure: captured.isSecure(index)))
        {
            return server
        }
        return server(OriginTable.build(captured[index], connections[captured.connection(index) - 1]))
    }

    /// The index in `origins` of the server that Host names; `nil` where it names none.
    private mutating func server(of name: Host) -> Int? {
        if let server = named[name] { return server }
        guard let origin = Origin(scheme: name.isSecure ? "https" : "http", authority: fieldText(name.value.bytes))
        else {
            return nil
        }
        let server = server(origin)
        named[name] = server
        return server
    }

    /// The index in `origins` of a proxy, which is known by its endpoint.
    mutating func proxy(on connection: Connection) -> Int {
        server(Origin(scheme: "http", endpoint: connection.server))
    }

    /// The index in `origins` of an origin.
    mutating func server(_ origin: Origin) -> Int {
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
