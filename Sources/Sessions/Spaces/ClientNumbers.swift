import AuthScanWire

/// Numbers the clients of a capture's transactions.
struct ClientNumbers: Sendable {
    /// A connection that has transactions.
    struct Line: Sendable {
        /// Its index in the capture.
        let index: Int
        /// Its client's number.
        let client: Int32
        /// Its process; see `Connection.processNumber`.
        let process: UInt32
    }

    private(set) var clients: [IPAddress] = []
    private(set) var connections: [Line] = []

    // One for each transaction:
    /// The index in `clients`.
    private(set) var numbers: [Int32] = []
    /// The index in `connections`.
    private(set) var lines: [Int32] = []

    /// Looks at every transaction once.
    init(_ capture: WireCapture) {
        let captured = capture.transactions
        var clientNumbers: [IPAddress: Int32] = [:]
        // The index in `connections` by the connection's; −1 where it has no transaction yet.
        var places = [Int32](repeating: -1, count: capture.connections.count)
        clientNumbers.reserveCapacity(min(captured.count, capture.connections.count))
        numbers.reserveCapacity(captured.count)
        lines.reserveCapacity(captured.count)
        for index in captured.indices {
            captured.prefetchSummary(index + CapturedTransactions.usefulAhead)
            let connection = captured.connection(index) - 1
            if places[connection] < 0 {
                places[connection] = Int32(connections.count)
                connections.append(line(connection, capture.connections[connection], &clientNumbers))
            }
            lines.append(places[connection])
            numbers.append(connections[Int(places[connection])].client)
        }
    }

    private mutating func line(
        _ index: Int,
        _ connection: Connection,
        _ clientNumbers: inout [IPAddress: Int32]
    ) -> Line {
        let address = connection.client.address
        let client = clientNumbers[address] ?? Int32(clients.count)
        if client == clients.count {
            clientNumbers[address] = client
            clients.append(address)
        }
        return Line(index: index, client: client, process: connection.processNumber)
    }
}
