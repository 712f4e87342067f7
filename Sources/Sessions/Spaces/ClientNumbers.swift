import AuthScanWire

/// Numbers the clients of a capture's transactions, and gathers what the grouping asks of each.
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

    /// What decides which groups a transaction belongs to.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8

        /// It asks for a tunnel.
        static let connect = Traits(rawValue: 1)
        /// Its status is 407.
        static let refusedByProxy = Traits(rawValue: 2)
        /// It has a field that is a matter of the client and a proxy alone.
        static let concernsProxy = Traits(rawValue: 4)
    }

    private(set) var clients: [IPAddress] = []
    private(set) var connections: [Line] = []

    // One for each transaction:
    /// The index in `clients`.
    private(set) var numbers: [Int32] = []
    /// The index in `connections`.
    private(set) var lines: [Int32] = []
    private(set) var traits: [Traits] = []

    /// The indices of the transactions that were refused with 400, 401 or 403.
    private(set) var refused: [Int32] = []
    /// How many requests have no response, and how many responses no request.
    private(set) var unansweredRequests = 0
    private(set) var missingRequests = 0

    /// Looks at every transaction once.
    init(_ capture: WireCapture) {
        let captured = capture.transactions
        var clientNumbers: [IPAddress: Int32] = [:]
        // The index in `connections` by the connection's; −1 where it has no transaction yet.
        var places = [Int32](repeating: -1, count: capture.connections.count)
        numbers.reserveCapacity(captured.count)
        lines.reserveCapacity(captured.count)
        traits.reserveCapacity(captured.count)
        for index in captured.indices {
            captured.prefetchSummary(index + CapturedTransactions.usefulAhead)
            let connection = captured.connection(index) - 1
            if places[connection] < 0 {
                places[connection] = Int32(connections.count)
                connections.append(line(connection, capture.connections[connection], &clientNumbers))
            }
            lines.append(places[connection])
            numbers.append(connections[Int(places[connection])].client)
            note(captured, index)
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

    private mutating func note(_ captured: CapturedTransactions, _ index: Int) {
        let status = captured.status(index)
        if status == nil { unansweredRequests += 1 }
        if captured.requestPacket(index) == nil { missingRequests += 1 }
        if status == 400 || status == 401 || status == 403 { refused.append(Int32(index)) }
        var own: Traits = []
        if captured.isConnect(index) { own.insert(.connect) }
        if status == 407 { own.insert(.refusedByProxy) }
        if captured.concernsProxy(index) { own.insert(.concernsProxy) }
        traits.append(own)
    }
}
