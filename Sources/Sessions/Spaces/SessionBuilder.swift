public import AuthScanBytes
import AuthScanSchemes
public import AuthScanWire

/// Builds protection spaces, exchanges and client sessions from the transactions of a capture.
///
/// A client is an address, and a process of it where the capture names that: a web view's and the app's own are two.
/// `GroupTable` groups its transactions by server and proxy; `SpaceTracker` then tells the protection spaces of a group apart,
/// and `SessionNumbering` puts the sessions of all groups in order.
public enum SessionBuilder {
    /// Builds all sessions of a capture; what can be done for each transaction, group or session by itself is shared out among
    /// `workers`.
    public static func build(from capture: WireCapture, workers: Workers = .one) -> Sessions {
        let groups = GroupTable.groups(in: capture)
        let transactions = decode(capture.transactions, groups, workers)
        let all = transactions.indices.map { Int32($0) }
        var (drafts, byClient) = workers.both({ track(transactions, groups, capture, workers) }) {
            (
                all: TransactionsByClient(transactions, all, groups.clientNumbers, groups.clients),
                refused: TransactionsByClient(transactions, groups.refused, groups.clientNumbers, groups.clients)
            )
        }
        var origins = groups.origins
        addBareConnections(of: capture, to: &drafts, &origins)
        var result = SessionNumbering(drafts, origins).sessions(
            KDCExchangeBuilder.build(from: capture.kdcRecords),
            tls: capture.tlsConnections,
            workers
        )
        result.transactions = transactions
        result.transactionsByClient = byClient.all
        result.refusedByClient = byClient.refused
        return result
    }

    private static func decode(
        _ captured: [HTTPTransaction],
        _ groups: TransactionGroups,
        _ workers: Workers
    ) -> [Transaction] {
        let (servers, origins) = (groups.servers, groups.origins)
        return gather(
            workers.map(captured.count) { range in
                range.map { Transaction(captured, $0, origin: origins[Int(servers[$0])]) }
            }
        )
    }

    /// Tells the protection spaces of each group apart.
    private static func track(
        _ transactions: [Transaction],
        _ groups: TransactionGroups,
        _ capture: WireCapture,
        _ workers: Workers
    ) -> [SessionDraft] {
        let judge = OutcomeJudge(
            connections: capture.connections,
            captureEnd: capture.lastTime ?? Timestamp(nanoseconds: 0)
        )
        let asking = connectionsAskingForLogin(in: capture)
        return gather(
            workers.map(groups.groups.count) { range in
                var schemes: [AuthenticationScheme] = []
                var drafts: [SessionDraft] = []
                drafts.reserveCapacity(range.count)
                for index in range {
                    let group = groups.groups[index]
                    let members = groups.members(of: index)
                    var tracker = SpaceTracker(
                        transactions,
                        target: group.target,
                        count: members.count,
                        isLoginSeen: !asking.isEmpty
                            && members.contains { asking.contains(transactions[Int($0)].connection) }
                    )
                    for member in members { tracker.receive(member) }
                    let ends = SessionDraft.Group(client: groups.clients[Int(group.client)], server: group.server)
                    tracker.finish(ends, judge, sharing: &schemes, into: &drafts)
                }
                return drafts
            }
        )
    }

    /// The elements of all parts; each part is let go of as soon as it is taken.
    private static func gather<Element>(_ parts: consuming [[Element]]) -> [Element] {
        guard parts.count > 1 else { return parts.first ?? [] }
        var all: [Element] = []
        all.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for index in parts.indices {
            all += parts[index]
            parts[index] = []
        }
        return all
    }

    /// The connections whose server wants the client's certificate (by asking, by another handshake, or in words), or wants
    /// the client to come back over HTTP/1.1.
    private static func connectionsAskingForLogin(in capture: WireCapture) -> Set<Int> {
        guard !capture.tlsConnections.isEmpty || !capture.http2Connections.isEmpty else { return [] }
        let asking = capture.tlsConnections.lazy.filter {
            $0.certificateRequest != nil || $0.renegotiation?.from == .server
        }.map(\.connection)
        let transactions = capture.transactions
        let refusing = transactions.indices.lazy.filter(transactions.hasCertificateNotice).map(transactions.connection)
        let downgrading = capture.http2Connections.lazy.filter(\.isHTTP11Required).map(\.connection)
        return Set(asking).union(refusing).union(downgrading)
    }

    private struct Place: Hashable {
        let client: IPAddress
        let process: UInt32
        let server: Endpoint
    }

    /// Adds connections without a word to the session that they belong to, by name or else by address, or makes one of them.
    private static func addBareConnections(
        of capture: WireCapture,
        to sessions: inout [SessionDraft],
        _ origins: inout [Origin]
    ) {
        let groups = BareConnections.groups(in: capture)
        guard !groups.isEmpty else { return }
        var byOrigin: [BareConnections.Key: Int] = [:]
        var byPlace: [Place: Int] = [:]
        for (index, session) in sessions.enumerated() where session.target == .origin {
            guard let first = session.entries.first?.transaction else { continue }
            let connection = capture.connections[first.connection - 1]
            let (client, process) = (session.group.client, connection.processNumber)
            let origin = origins[Int(session.group.server)]
            byOrigin[BareConnections.Key(client: client, process: process, origin: origin)] = index
            byPlace[Place(client: client, process: process, server: connection.server)] = index
        }
        var servers = Dictionary(origins.indices.map { (origins[$0], $0) }) { first, _ in first }
        for group in groups {
            let key = BareConnections.Key(client: group.client, process: group.process, origin: group.origin)
            let place = Place(client: group.client, process: group.process, server: group.server)
            let session = byOrigin[key] ?? (group.origin.isAddress ? byPlace[place] : nil)
            if let session {
                sessions[session].bareConnections += group.connections
                continue
            }
            let server = servers[group.origin] ?? origins.count
            if server == origins.count {
                servers[group.origin] = server
                origins.append(group.origin)
            }
            sessions.append(SessionDraft(group, server: Int32(server)))
        }
    }
}
