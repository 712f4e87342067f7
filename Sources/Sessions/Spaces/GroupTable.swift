import AuthScanBytes
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
        /// The group of the last transaction.
        var group: Int32 = -1
        /// The group of the connection's proxy.
        var proxyGroup: Int32 = -1
    }

    private let captured: CapturedTransactions
    private let connections: [Connection]
    private let clients: ClientNumbers
    /// One for each transaction.
    private let traits: [ServerNumbers.Traits]
    private var origins: OriginTable
    /// By the number of the connection's line; see `ClientNumbers`.
    private var lines: [Line]
    private var groupNumbers: [Key: Int32] = [:]
    private(set) var result = TransactionGroups()

    private init(_ capture: WireCapture, _ servers: ServerNumbers, _ clients: ClientNumbers) {
        captured = capture.transactions
        connections = capture.connections
        self.clients = clients
        origins = servers.origins
        lines = [Line](repeating: Line(), count: clients.connections.count)
        result.servers = servers.servers
        result.clients = clients.clients
        result.clientNumbers = clients.numbers
        traits = servers.traits
        result.refused = servers.refused
        result.unansweredRequests = servers.unansweredRequests
        result.missingRequests = servers.missingRequests
        result.memberships.reserveCapacity(captured.count)
        groupNumbers.reserveCapacity(lines.count)
    }

    /// The groups of a capture, in the order in which they begin; what comes of `other` is computed along the way.
    static func groups<Other: Sendable>(
        in capture: WireCapture,
        _ workers: Workers,
        beside other: @Sendable () -> Other
    ) -> (TransactionGroups, Other) {
        let (servers, others) = workers.both({ ServerNumbers(capture) }) { (clients: ClientNumbers(capture), other()) }
        var table = GroupTable(capture, servers, others.clients)
        for index in table.captured.indices { table.add(index) }
        table.result.origins = table.origins.origins
        table.result.sortMembers()
        return (table.result, others.1)
    }

    private mutating func add(_ index: Int) {
        let before = result.memberships.count
        addToGroups(index)
        if result.memberships.count - before != 1 { result.apart.append(Int32(index)) }
    }

    private mutating func addToGroups(_ index: Int) {
        let line = Int(clients.lines[index])
        let server = result.servers[index]
        let traits = traits[index]
        if !traits.isDisjoint(with: [.connect, .refusedByProxy, .concernsProxy]) {
            let isProxyKnownToAsk = !traits.isDisjoint(with: [.refusedByProxy, .concernsProxy])
            addToProxy(index, line, isProxyKnownToAsk: isProxyKnownToAsk)
        }
        // A request that the proxy refused never reached the server, and CONNECT is a matter of the proxy alone.
        guard traits.isDisjoint(with: [.connect, .refusedByProxy]) else { return }
        if lines[line].group < 0 || result.groups[Int(lines[line].group)].server != server {
            lines[line].group = group(key(line, server, .origin), server, .origin)
        }
        result.memberships.append(.init(group: lines[line].group, transaction: Int32(index)))
    }

    /// Adds a transaction to its proxy's group; CONNECT without credentials belongs there only where the proxy asks for some.
    private mutating func addToProxy(_ index: Int, _ line: Int, isProxyKnownToAsk: Bool) {
        if lines[line].proxyGroup < 0 {
            let server = Int32(origins.proxy(on: connections[clients.connections[line].index]))
            let key = key(line, server, .proxy)
            guard isProxyKnownToAsk || groupNumbers[key] != nil else { return }
            lines[line].proxyGroup = group(key, server, .proxy)
        }
        result.memberships.append(.init(group: lines[line].proxyGroup, transaction: Int32(index)))
    }

    private func key(_ line: Int, _ server: Int32, _ target: AuthenticationTarget) -> Key {
        Key(
            client: UInt64(clients.connections[line].client) << 32 | UInt64(clients.connections[line].process),
            server: UInt64(server) << 1 | (target == .proxy ? 1 : 0)
        )
    }

    /// The index of the group with this key, which is made where there is none.
    private mutating func group(_ key: Key, _ server: Int32, _ target: AuthenticationTarget) -> Int32 {
        if let number = groupNumbers[key] { return number }
        let number = Int32(result.groups.count)
        groupNumbers[key] = number
        result.groups.append(Group(client: Int32(key.client >> 32), server: server, target: target))
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
    /// How many requests have no response, and how many responses no request.
    fileprivate(set) var unansweredRequests = 0
    fileprivate(set) var missingRequests = 0
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
