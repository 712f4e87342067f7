import AuthScanWire

/// Numbers the servers that the transactions of a capture are meant for, and gathers what else the grouping asks of each.
struct ServerNumbers: Sendable {
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

    private(set) var origins = OriginTable()
    /// The number of each transaction's server in `origins`.
    private(set) var servers: [Int32] = []
    private(set) var traits: [Traits] = []

    /// The indices of the transactions that were refused with 400, 401 or 403.
    private(set) var refused: [Int32] = []
    /// How many requests have no response, and how many responses no request.
    private(set) var unansweredRequests = 0
    private(set) var missingRequests = 0

    /// Looks at every transaction once.
    init(_ capture: WireCapture) {
        let captured = capture.transactions
        // The server by the number of a host, without and with TLS; −1 where it was not asked for yet.
        var serversByHost = [Int32](repeating: -1, count: 2 * captured.hostCount)
        servers.reserveCapacity(captured.count)
        traits.reserveCapacity(captured.count)
        for index in captured.indices {
            captured.prefetchSummary(index + CapturedTransactions.usefulAhead)
            let outline = captured.outline(index)
            note(captured, index, outline)
            guard let host = outline.hostNumber else {
                servers.append(Int32(origins.server(of: captured, index, on: capture.connections)))
                continue
            }
            let place = host << 1 | (outline.isSecure ? 1 : 0)
            if serversByHost[place] < 0 {
                serversByHost[place] = Int32(origins.server(of: captured, index, on: capture.connections))
            }
            servers.append(serversByHost[place])
        }
    }

    private mutating func note(_ captured: CapturedTransactions, _ index: Int, _ outline: TransactionOutline) {
        let status = outline.status
        if status == nil { unansweredRequests += 1 }
        if outline.requestPacket == nil { missingRequests += 1 }
        if status == 400 || status == 401 || status == 403 { refused.append(Int32(index)) }
        var own: Traits = []
        if outline.isConnect { own.insert(.connect) }
        if status == 407 { own.insert(.refusedByProxy) }
        if outline.mayConcernProxy, captured.concernsProxy(index) { own.insert(.concernsProxy) }
        traits.append(own)
    }
}
