public import AuthScanBytes
import AuthScanSchemes
public import AuthScanWire
import Synchronization

/// Builds protection spaces, exchanges and client sessions from the transactions of a capture.
///
/// A client is an address, and a process of it where the capture names that: a web view's and the app's own are two.
/// `GroupTable` groups its transactions by server and proxy; `SpaceTracker` then tells the protection spaces of a group apart,
/// and `SessionNumbering` puts the sessions of all groups in order.
public enum SessionBuilder {
    /// Builds all sessions of a capture; what can be done for each transaction, group or session by itself is shared out among
    /// `workers`.
    public static func build(from capture: WireCapture, workers: Workers = .one) -> Sessions {
        let (groups, others) = GroupTable.groups(in: capture, workers) {
            (asking: connectionsAskingForLogin(in: capture), bare: BareConnections.groups(in: capture))
        }
        let reader = GroupReader(capture, groups, askingForLogin: others.asking, workers)
        var (parts, byClient) = workers.map(groups.groups.count, reader.read) {
            (
                all: ClientOrder(
                    groups.clientNumbers.indices.map { Int32($0) },
                    of: groups.clientNumbers,
                    groups.clients
                ),
                refused: ClientOrder(groups.refused, of: groups.clientNumbers, groups.clients)
            )
        }
        let starts = GroupReader.exchangeStarts(in: parts)
        var drafts = GroupReader.takeDrafts(of: &parts)
        // To be taken by whoever puts them in order: an array that two hold is copied to be changed.
        let members = Mutex(GroupReader.takeTransactions(of: &parts))
        var origins = groups.origins
        add(others.bare, of: capture, to: &drafts, &origins)
        let (named, servers, read) = (drafts, origins, parts)
        let (whole, numbering) = workers.both {
            (transactions: reader.transactions(members), census: GroupReader.census(of: read))
        } _: {
            SessionNumbering(named, starts, servers)
        }
        let transactions = whole.transactions
        var result = numbering.sessions(KDCExchangeBuilder.build(from: capture.kdcRecords), workers)
        result.transactions = transactions
        result.census = whole.census
        result.unansweredRequests = groups.unansweredRequests
        result.missingRequests = groups.missingRequests
        result.transactionsByClient = TransactionsByClient(transactions, byClient.all)
        result.refusedByClient = TransactionsByClient(transactions, byClient.refused)
        return result
    }

    /// The connections whose server wants the client's certificate (by asking, by another handshake, or in words), or wants
    /// the client to come back over HTTP/1.1.
    private static func connectionsAskingForLogin(in capture: WireCapture) -> Set<Int> {
        guard !capture.tlsConnections.isEmpty || !capture.http2Connections.isEmpty else { return [] }
        let asking = capture.tlsConnections.lazy.filter {
            $0.certificateRequest != nil || $0.renegotiation?.from == .server
        }.map(\.connection)
        let transactions = capture.transactions
        let refusing = transactions.certificateNoticeIndices.map(transactions.connection)
        let downgrading = capture.http2Connections.lazy.filter(\.isHTTP11Required).map(\.connection)
        return Set(asking).union(refusing).union(downgrading)
    }

    private struct Place: Hashable {
        let client: IPAddress
        let process: UInt32
        let server: Endpoint
    }

    /// Adds connections without a word to the session that they belong to, by name or else by address, or makes one of them.
    private static func add(
        _ groups: [BareConnections.Group],
        of capture: WireCapture,
        to sessions: inout [SessionDraft],
        _ origins: inout [Origin]
    ) {
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
