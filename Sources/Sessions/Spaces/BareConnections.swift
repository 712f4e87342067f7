public import AuthScanWire

/// The connections on which an application was never heard: refused ones, TLS that failed or says something by itself, and
/// TLS that met something else.
///
/// They belong to the session of the same client and server where there is one, and make a session otherwise.
struct BareConnections {
    /// A client and a server, with the connections between them.
    struct Group {
        let client: IPAddress
        /// The number of the client's process; 0 where the capture names none.
        let process: UInt32
        let origin: Origin
        /// Where the connections went to.
        let server: Endpoint
        let firstPacket: Int
        var connections: [Int]
    }

    /// What tells groups apart.
    struct Key: Hashable {
        let client: IPAddress
        let process: UInt32
        let origin: Origin
    }

    /// The groups in the order in which they begin.
    static func groups(in capture: WireCapture) -> [Group] {
        var groups: [Group] = []
        var places: [Key: Int] = [:]
        for (number, origin) in bareConnections(in: capture) {
            let connection = capture.connections[number - 1]
            let key = Key(
                client: connection.client.address,
                process: connection.processNumber,
                origin: origin
            )
            if let place = places[key] {
                groups[place].connections.append(number)
            } else {
                places[key] = groups.count
                groups.append(
                    Group(
                        client: key.client,
                        process: key.process,
                        origin: origin,
                        server: connection.server,
                        firstPacket: connection.firstPacket,
                        connections: [number]
                    )
                )
            }
        }
        return groups
    }

    /// The numbers of the connections, and the servers that they were meant for, in order.
    private static func bareConnections(in capture: WireCapture) -> [(number: Int, origin: Origin)] {
        let refused = refusedConnections(in: capture).map { connection in
            let server = connection.server
            return (number: connection.number, origin: Origin(scheme: scheme(ofPort: server.port), endpoint: server))
        }
        guard !capture.tlsConnections.isEmpty else { return refused }
        let transactions = capture.transactions
        let heard = Set(transactions.secureIndices.map(transactions.connection))
        let silent = capture.tlsConnections.filter { tls in
            !heard.contains(tls.connection) && tls.saysSomething(on: capture.connections[tls.connection - 1])
        }
        let plain = originsOfPlainRequests(on: Set(silent.filter(\.lacksHello).map(\.connection)), in: capture)
        let origins = silent.map { tls in
            (
                number: tls.connection,
                origin: plain[tls.connection] ?? Origin(of: tls, on: capture.connections[tls.connection - 1])
            )
        }
        var seen: Set<Int> = []
        return (refused + origins).sorted { $0.number < $1.number }.filter { seen.insert($0.number).inserted }
    }

    /// The servers that requests in clear were meant for which met TLS instead of an answer, by the connections, of some.
    private static func originsOfPlainRequests(on numbers: Set<Int>, in capture: WireCapture) -> [Int: Origin] {
        guard !numbers.isEmpty else { return [:] }
        let transactions = capture.transactions
        var table = OriginTable()
        var origins: [Int: Origin] = [:]
        for index in transactions.indices {
            let number = transactions.connection(index)
            guard numbers.contains(number), origins[number] == nil, !transactions.isSecure(index),
                transactions.requestTime(index) != nil, transactions.responseTime(index) == nil
            else { continue }
            let server = table.server(of: transactions, index, on: capture.connections)
            origins[number] = table.origins[server]
        }
        return origins
    }

    /// The refused connections that may have been meant for HTTP: those to a port where it is at home, and those of a client
    /// that speaks HTTP or TLS to the same host.
    ///
    /// A client that is refused at more than a few places is looking for open ports.
    private static func refusedConnections(in capture: WireCapture) -> [Connection] {
        let connections = capture.connections
        let refused = connections.indices.filter { connections[$0].isRefused }.map { connections[$0] }
        guard !refused.isEmpty else { return [] }
        var places: [IPAddress: Set<Endpoint>] = [:]
        for connection in refused { places[connection.client.address, default: []].insert(connection.server) }
        let hosts = Set(capture.connections.lazy.filter { $0.applicationProtocol != .other }.map(\.server.address))
        return refused.filter { connection in
            (places[connection.client.address]?.count ?? 0) <= placeLimit && connection.server.port != 0
                && (isWebPort(connection.server.port) || hosts.contains(connection.server.address))
        }
    }

    /// At how many places a client may be refused.
    private static let placeLimit = 3

    /// Whether servers of HTTP and proxies are wont to listen at a port.
    private static func isWebPort(_ port: UInt16) -> Bool {
        [80, 443, 3128, 8443, 8888, 9443].contains(port) || (8000...8099).contains(port)
    }

    private static func scheme(ofPort port: UInt16) -> String { port == 443 || port == 8443 ? "https" : "http" }
}

extension Connection {
    /// Whether the server answered the client's SYN with RST, and nothing else.
    ///
    /// - Source: RFC 9293 §3.5.2.
    public var isRefused: Bool { startSeen && !isAccepted && closedBy == .serverReset && bytesFromClient == 0 }
}

extension TLSConnection {
    /// Whether the handshake alone tells something: a refusal, a certificate that was asked for or cannot be right, another
    /// handshake that was not finished, or a server that speaks another protocol.
    fileprivate func saysSomething(on connection: Connection) -> Bool {
        if certificateRequest != nil || clientCertificate == ClientCertificate.none || clientCertificate == .sent {
            return true
        }
        if alerts.contains(where: { $0.isFatal == true || ($0.isDuringHandshake && $0.description != .closeNotify) }) {
            return true
        }
        if serverCertificateFault(at: connection.firstTime) != nil { return true }
        if let renegotiation, renegotiation.from == .server, renegotiation.finishedPacket == nil { return true }
        return clientHello != nil && (serverHelloPacket == nil || finishedPacket == nil)
    }

}

extension TLSConnection {
    /// Whether the server speaks TLS, and the capture shows no ClientHello that it answers.
    public var lacksHello: Bool { clientHello == nil && hasServerRecords }
}
