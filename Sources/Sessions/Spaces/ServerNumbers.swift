import AuthScanWire

/// Numbers the servers that the transactions of a capture are meant for.
struct ServerNumbers: Sendable {
    private(set) var origins = OriginTable()
    /// The number of each transaction's server in `origins`.
    private(set) var servers: [Int32] = []

    /// Looks at every transaction once.
    init(_ capture: WireCapture) {
        let captured = capture.transactions
        // The server by the number of a host, without and with TLS; −1 where it was not asked for yet.
        var serversByHost = [Int32](repeating: -1, count: 2 * captured.hostCount)
        servers.reserveCapacity(captured.count)
        for index in captured.indices {
            captured.prefetchSummary(index + CapturedTransactions.usefulAhead)
            guard let host = captured.hostNumber(index) else {
                servers.append(Int32(origins.server(of: captured, index, on: capture.connections)))
                continue
            }
            let place = host << 1 | (captured.isSecure(index) ? 1 : 0)
            if serversByHost[place] < 0 {
                serversByHost[place] = Int32(origins.server(of: captured, index, on: capture.connections))
            }
            servers.append(serversByHost[place])
        }
    }
}
