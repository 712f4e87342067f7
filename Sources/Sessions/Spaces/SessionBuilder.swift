public import AuthScanWire

/// Builds protection spaces, exchanges and client sessions from the transactions of a capture.
///
/// A client is an address, and a process of it where the capture names that: a web view's and the app's own are two. Its
/// transactions are grouped by the server they are meant for, and by the proxy that they went through where one asked for
/// credentials; `SpaceTracker` then tells the protection spaces of a group apart.
public struct SessionBuilder {
    private struct GroupKey: Hashable {
        let client: IPAddress
        let process: UInt32
        let server: Int
        let target: AuthenticationTarget
    }

    private struct Group {
        let client: IPAddress
        let origin: Origin
        let target: AuthenticationTarget
        var transactions: [Transaction] = []
    }

    private let capture: WireCapture
    private var groups: [GroupKey: Int] = [:]
    private var members: [Group] = []
    private var transactionsByClient: [IPAddress: [Transaction]] = [:]

    private var refusedByClient: [IPAddress: [Transaction]] = [:]
    private var origins = OriginTable()

    private init(_ capture: WireCapture) { self.capture = capture }

    /// Builds all sessions of a capture.
    public static func build(from capture: WireCapture) -> Sessions {
        var builder = SessionBuilder(capture)
        for index in capture.transactions.indices { builder.add(index) }
        return builder.finish()
    }

    private mutating func add(_ index: Int) {
        let connection = capture.connections[capture.transactions[index].connection - 1]
        let server = origins.server(of: capture.transactions, index, on: connection)
        let transaction = Transaction(capture.transactions, index, origin: server.origin)
        let client = connection.client.address
        transactionsByClient[client, default: []].append(transaction)
        if let status = transaction.status, status == 400 || status == 401 || status == 403 {
            refusedByClient[client, default: []].append(transaction)
        }
        if concernsProxy(transaction, connection) {
            append(transaction, on: connection, to: origins.proxy(on: connection), .proxy)
        }
        // A request that the proxy refused never reached the server, and CONNECT is a matter of the proxy alone.
        if transaction.status != 407, !transaction.isConnect {
            append(transaction, on: connection, to: server, .origin)
        }
    }

    private mutating func concernsProxy(_ transaction: Transaction, _ connection: Connection) -> Bool {
        if transaction.status == 407 || !transaction.proxyFields.isEmpty { return true }
        guard transaction.isConnect else { return false }
        return groups[key(connection, origins.proxy(on: connection), .proxy)] != nil
    }

    private func key(
        _ connection: Connection,
        _ server: OriginTable.Server,
        _ target: AuthenticationTarget
    ) -> GroupKey {
        GroupKey(
            client: connection.client.address,
            process: connection.processNumber,
            server: server.number,
            target: target
        )
    }

    private mutating func append(
        _ transaction: Transaction,
        on connection: Connection,
        to server: OriginTable.Server,
        _ target: AuthenticationTarget
    ) {
        let key = key(connection, server, target)
        let index = groups[key] ?? members.count
        if index == members.count {
            groups[key] = index
            members.append(Group(client: key.client, origin: server.origin, target: target))
        }
        members[index].transactions.append(transaction)
    }

    private mutating func finish() -> Sessions {
        // What only served the grouping makes room for what comes now.
        origins = OriginTable()
        groups = [:]
        let judge = OutcomeJudge(
            connection: { [connections = capture.connections] in connections[$0 - 1] },
            captureEnd: capture.lastTime ?? Timestamp(nanoseconds: 0)
        )
        let asking = Set(capture.tlsConnections.lazy.filter { $0.certificateRequest != nil }.map(\.connection))
            .union(capture.http2Connections.lazy.filter(\.isHTTP11Required).map(\.connection))
        var sessions: [SessionDraft] = []
        for group in members {
            var tracker = SpaceTracker(
                client: group.client,
                origin: group.origin,
                target: group.target,
                isLoginSeen: !asking.isEmpty && group.transactions.contains { asking.contains($0.connection) }
            )
            for transaction in group.transactions { tracker.receive(transaction) }
            sessions += tracker.finish(judge)
        }
        addBareConnections(to: &sessions)
        var result = Sessions(numbering: sessions, KDCExchangeBuilder.build(from: capture.kdcRecords))
        result.transactionsByClient = transactionsByClient
        result.refusedByClient = refusedByClient
        return result
    }

    private struct Place: Hashable {
        let client: IPAddress
        let process: UInt32
        let server: Endpoint
    }

    /// Adds connections without a word to the session that they belong to, by name or else by address, or makes one of them.
    private func addBareConnections(to sessions: inout [SessionDraft]) {
        let groups = BareConnections.groups(in: capture)
        guard !groups.isEmpty else { return }
        var byOrigin: [BareConnections.Key: Int] = [:]
        var byPlace: [Place: Int] = [:]
        for (index, session) in sessions.enumerated() where session.target == .origin {
            guard let first = session.entries.first?.transaction else { continue }
            let connection = capture.connections[first.connection - 1]
            let (client, process) = (session.client, connection.processNumber)
            let key = BareConnections.Key(client: client, process: process, origin: session.space.origin)
            byOrigin[key] = index
            byPlace[Place(client: client, process: process, server: connection.server)] = index
        }
        for group in groups {
            let key = BareConnections.Key(client: group.client, process: group.process, origin: group.origin)
            let place = Place(client: group.client, process: group.process, server: group.server)
            let session = byOrigin[key] ?? (group.origin.isAddress ? byPlace[place] : nil)
            if let session {
                sessions[session].bareConnections += group.connections
            } else {
                sessions.append(SessionDraft(group))
            }
        }
    }
}

extension Sessions {
    private struct SpaceKey: Hashable {
        let origin: Origin
        let realm: String?
        let isProxy: Bool
    }

    /// Numbers spaces, exchanges and sessions in the order in which they begin.
    ///
    /// What was asked of key distribution centers goes to the sessions that it bears on, and makes sessions of its own otherwise.
    fileprivate init(numbering unordered: [SessionDraft], _ kdcExchanges: [KDCExchange]) {
        let drafts = unordered.enumerated().sorted {
            ($0.element.firstPacket, $0.offset) < ($1.element.firstPacket, $1.offset)
        }.map(\.element)
        let spaceNumbers = numberSpaces(of: drafts)
        let exchangeNumbers = Sessions.numberExchanges(of: drafts)
        var ties = KDCTies(kdcExchanges)
        let tied = drafts.map { ties.claim(for: $0) }
        var groups = ties.unclaimed()[...]
        var realms: [String: Int] = [:]
        self.kdcExchanges = kdcExchanges
        for (index, draft) in drafts.enumerated() {
            while let group = groups.first, group.firstPacket < draft.firstPacket {
                append(groups.removeFirst(), &realms)
            }
            var space = draft.space
            space.number = spaceNumbers[index]
            let exchanges = draft.exchanges.enumerated().map { place, exchange in
                AuthenticationExchange(exchange, number: exchangeNumbers[index][place], space: space.number)
            }
            sessions.append(
                ClientSession(
                    draft,
                    number: sessions.count + 1,
                    space: space,
                    exchanges: exchanges,
                    kdcExchanges: tied[index]
                )
            )
            self.exchanges += exchanges
        }
        for group in groups { append(group, &realms) }
        self.exchanges.sort { $0.number < $1.number }
    }

    /// Appends a session of its own for a client and a realm; `realms` has the numbers of the spaces that there are for realms.
    private mutating func append(_ group: KDCGroup, _ realms: inout [String: Int]) {
        let known = realms[group.realm]
        let session = ClientSession(group, number: sessions.count + 1, space: known ?? spaces.count + 1)
        if known == nil {
            realms[group.realm] = session.space.number
            spaces.append(session.space)
        }
        sessions.append(session)
    }

    /// Lists the protection spaces; returns the number of each session's.
    private mutating func numberSpaces(of drafts: [SessionDraft]) -> [Int] {
        var numbers: [SpaceKey: Int] = [:]
        return drafts.map { draft in
            let key = SpaceKey(origin: draft.space.origin, realm: draft.space.realm, isProxy: draft.space.isProxy)
            if let number = numbers[key] {
                for scheme in draft.space.schemes where !spaces[number - 1].schemes.contains(scheme) {
                    spaces[number - 1].schemes.append(scheme)
                }
                return number
            }
            spaces.append(draft.space)
            spaces[spaces.count - 1].number = spaces.count
            numbers[key] = spaces.count
            return spaces.count
        }
    }

    /// The numbers of each session's exchanges: by their first transactions over all sessions.
    private static func numberExchanges(of drafts: [SessionDraft]) -> [[Int]] {
        var numbers = drafts.map { [Int](repeating: 0, count: $0.exchanges.count) }
        var places: [(session: Int, exchange: Int, begin: Int)] = []
        for (session, draft) in drafts.enumerated() {
            for (exchange, content) in draft.exchanges.enumerated() {
                places.append((session, exchange, content.legs[0].transaction.number))
            }
        }
        places.sort { ($0.begin, $0.session, $0.exchange) < ($1.begin, $1.session, $1.exchange) }
        for (index, place) in places.enumerated() { numbers[place.session][place.exchange] = index + 1 }
        return numbers
    }
}
