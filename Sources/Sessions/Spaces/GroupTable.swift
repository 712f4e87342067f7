import AuthScanWire

/// Groups a capture's transactions by client, by the server that they are meant for, and by the proxy that they went through
/// where one asked for credentials.
///
/// Nearly every transaction goes to the groups that the one before it on its connection went to.
struct GroupTable {
    /// What the transactions of a group have in common.
    struct Group {
        /// The index in `clients`.
        let client: Int32
        /// The index in `origins`.
        let server: Int32
        let target: AuthenticationTarget
    }

    private struct Key: Hashable {
        /// The client's index and its process.
        let client: UInt64
        /// The server's index and whether it is a proxy.
        let server: UInt64
    }

    /// What the transactions of one connection have in common, nearly always; −1 stands for what is not known yet.
    private struct Line {
        let client: Int32
        /// The group of the last transaction.
        var group: Int32 = -1
        /// The group of the connection's proxy.
        var proxyGroup: Int32 = -1
    }

    private let captured: CapturedTransactions
    private let connections: [Connection]
    private var origins = OriginTable()
    /// The server by the number of a host, without and with TLS; −1 where it was not asked for yet.
    private var serversByHost: [Int32]
    private var lines: [Line] = []
    /// The index in `lines` by the connection's; −1 where it has no transaction yet.
    private var places: [Int32]
    private var clientNumbers: [IPAddress: Int32] = [:]
    private var groupNumbers: [Key: Int32] = [:]
    private(set) var result = TransactionGroups()

    private init(_ capture: WireCapture) {
        captured = capture.transactions
        connections = capture.connections
        serversByHost = [Int32](repeating: -1, count: 2 * capture.transactions.hostCount)
        places = [Int32](repeating: -1, count: capture.connections.count)
        result.servers.reserveCapacity(captured.count)
        result.clientNumbers.reserveCapacity(captured.count)
        result.memberships.reserveCapacity(captured.count)
    }

    /// The groups of a capture, in the order in which they begin.
    static func groups(in capture: WireCapture) -> TransactionGroups {
        var table = GroupTable(capture)
        for index in table.captured.indices { table.add(index) }
        table.result.origins = table.origins.origins
        table.result.sortMembers()
        return table.result
    }

    private mutating func add(_ index: Int) {
        let before = result.memberships.count
        addToGroups(index)
        if result.memberships.count - before != 1 { result.apart.append(Int32(index)) }
    }

    private mutating func addToGroups(_ index: Int) {
        let place = place(of: captured.connection(index) - 1)
        let server = server(of: index)
        result.servers.append(server)
        result.clientNumbers.append(lines[place].client)
        let isConnect = captured.isConnect(index)
        let status = captured.status(index)
        if status == 400 || status == 401 || status == 403 { result.refused.append(Int32(index)) }
        let isRefusedByProxy = status == 407
        let isProxyKnownToAsk = isRefusedByProxy || captured.concernsProxy(index)
        if isProxyKnownToAsk || isConnect { addToProxy(index, place, isProxyKnownToAsk: isProxyKnownToAsk) }
        // A request that the proxy refused never reached the server, and CONNECT is a matter of the proxy alone.
        guard !isRefusedByProxy, !isConnect else { return }
        if lines[place].group < 0 || result.groups[Int(lines[place].group)].server != server {
            lines[place].group = group(key(index, place, server, .origin), place, server, .origin)
        }
        result.memberships.append(.init(group: lines[place].group, transaction: Int32(index)))
    }

    /// The index of a connection in `lines`.
    private mutating func place(of connection: Int) -> Int {
        if places[connection] >= 0 { return Int(places[connection]) }
        let address = connections[connection].client.address
        let client = clientNumbers[address] ?? Int32(result.clients.count)
        if client == result.clients.count {
            clientNumbers[address] = client
            result.clients.append(address)
        }
        places[connection] = Int32(lines.count)
        lines.append(Line(client: client))
        return lines.count - 1
    }

    /// The index of the server that a transaction is meant for.
    private mutating func server(of index: Int) -> Int32 {
        guard let host = captured.hostNumber(index) else {
            return Int32(origins.server(of: captured, index, on: connections))
        }
        let place = host << 1 | (captured.isSecure(index) ? 1 : 0)
        if serversByHost[place] < 0 {
            serversByHost[place] = Int32(origins.server(of: captured, index, on: connections))
        }
        return serversByHost[place]
    }

    /// Adds a transaction to its proxy's group; CONNECT without credentials belongs there only where the proxy asks for some.
    private mutating func addToProxy(_ index: Int, _ place: Int, isProxyKnownToAsk: Bool) {
        if lines[place].proxyGroup < 0 {
            let server = Int32(origins.proxy(on: connections[captured.connection(index) - 1]))
            let key = key(index, place, server, .proxy)
            guard isProxyKnownToAsk || groupNumbers[key] != nil else { return }
            lines[place].proxyGroup = group(key, place, server, .proxy)
        }
        result.memberships.append(.init(group: lines[place].proxyGroup, transaction: Int32(index)))
    }

    private func key(_ index: Int, _ place: Int, _ server: Int32, _ target: AuthenticationTarget) -> Key {
        let process = connections[captured.connection(index) - 1].processNumber
        return Key(
            client: UInt64(lines[place].client) << 32 | UInt64(process),
            server: UInt64(server) << 1 | (target == .proxy ? 1 : 0)
        )
    }

    /// The index of the group with this key, which is made where there is none.
    private mutating func group(
        _ key: Key,
        _ place: Int,
        _ server: Int32,
        _ target: AuthenticationTarget
    ) -> Int32 {
        if let number = groupNumbers[key] { return number }
        let number = Int32(result.groups.count)
        groupNumbers[key] = number
        result.groups.append(Group(client: lines[place].client, server: server, target: target))
        return number
    }
}

/// The groups that `GroupTable` finds.
struct TransactionGroups {
    /// That a transaction belongs to a group.
    struct Membership {
        let group: Int32
        let transaction: Int32
    }

    var clients: [IPAddress] = []
    var origins: [Origin] = []
    var groups: [GroupTable.Group] = []
    /// The index of each transaction's server in `origins`.
    var servers: [Int32] = []
    /// The index of each transaction's client in `clients`.
    var clientNumbers: [Int32] = []
    /// The indices of the transactions that were refused with 400, 401 or 403.
    var refused: [Int32] = []
    /// The indices of the transactions that belong to two groups, or to none.
    fileprivate(set) var apart: [Int32] = []
    /// In the order of the transactions; empty once they are sorted.
    fileprivate(set) var memberships: [Membership] = []
    /// The indices of the transactions, group by group.
    private(set) var members: [Int32] = []
    /// Where each group's members start, and where the last one's end.
    private var starts: [Int32] = []

    /// The indices of a group's transactions, in packet order.
    func members(of group: Int) -> ArraySlice<Int32> { members(of: group..<group + 1) }

    /// The same of groups in a row, one behind the other.
    func members(of range: Range<Int>) -> ArraySlice<Int32> {
        members[Int(starts[range.lowerBound])..<Int(starts[range.upperBound])]
    }

    fileprivate mutating func sortMembers() {
        starts = [Int32](repeating: 0, count: groups.count + 1)
        for membership in memberships { starts[Int(membership.group) + 1] += 1 }
        for group in groups.indices { starts[group + 1] += starts[group] }
        var next = starts
        members = [Int32](repeating: 0, count: memberships.count)
        for membership in memberships {
            members[Int(next[Int(membership.group)])] = membership.transaction
            next[Int(membership.group)] += 1
        }
        memberships = []
    }
}
