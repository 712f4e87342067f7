public import AuthScanBytes
public import AuthScanWire

/// Builds protection spaces, exchanges and client sessions from the transactions of a capture.
///
/// A client is an address, and a process of it where the capture names that: a web view's and the app's own are two. Its
/// transactions are grouped by the server they are meant for, and by the proxy that they went through where one asked for
/// credentials; `SpaceTracker` then tells the protection spaces of a group apart.
public struct SessionBuilder {
    private struct GroupKey: Hashable {
        let client: Int
        let process: UInt32
        let server: Int
        let target: AuthenticationTarget
    }

    private struct Group: Sendable {
        let client: IPAddress
        let origin: Origin
        let target: AuthenticationTarget
        var transactions: [Transaction] = []
    }

    /// What the transactions of one connection have in common, nearly always.
    private struct Line {
        /// The index in `clients`.
        let client: Int
        /// The group that the last one went to.
        var group: (key: GroupKey, index: Int)?
    }

    private struct Client {
        let address: IPAddress
        var transactions: [Transaction] = []
        var refused: [Transaction] = []
    }

    private let capture: WireCapture
    private var groups: [GroupKey: Int] = [:]
    private var members: [Group] = []
    private var clients: [Client] = []
    private var clientNumbers: [IPAddress: Int] = [:]
    private var lines: [Line] = []
    /// The index in `lines` by the connection's; −1 where it has no transaction yet.
    private var places: [Int32]
    private var origins = OriginTable()

    private init(_ capture: WireCapture) {
        self.capture = capture
        places = [Int32](repeating: -1, count: capture.connections.count)
    }

    /// Builds all sessions of a capture; decoding, and telling spaces apart, is shared out among `workers`.
    public static func build(from capture: WireCapture, workers: Workers = .one) -> Sessions {
        var builder = SessionBuilder(capture)
        let servers = capture.transactions.indices.map { builder.server(of: $0) }
        for part in decode(capture.transactions, for: servers, builder.origins.origins, workers) {
            for transaction in part { builder.add(transaction, for: servers[transaction.number - 1]) }
        }
        return builder.finish(workers)
    }

    private static func decode(
        _ captured: [HTTPTransaction],
        for servers: [Int],
        _ origins: [Origin],
        _ workers: Workers
    ) -> [[Transaction]] {
        workers.map(captured.count) { range in
            range.map { Transaction(captured, $0, origin: origins[servers[$0]]) }
        }
    }

    /// The index of the server that a transaction is meant for.
    private mutating func server(of index: Int) -> Int {
        let place = place(of: capture.transactions.connection(index) - 1)
        return origins.server(of: capture.transactions, index, on: capture.connections, place: place)
    }

    private mutating func add(_ transaction: Transaction, for server: Int) {
        let connection = transaction.connection - 1
        let place = place(of: connection)
        clients[lines[place].client].transactions.append(transaction)
        let status = transaction.status ?? 0
        if status == 400 || status == 401 || status == 403 {
            clients[lines[place].client].refused.append(transaction)
        }
        if concernsProxy(transaction, connection, place) {
            let proxy = origins.proxy(on: capture.connections[connection])
            append(transaction, place, key(connection, place, proxy, .proxy))
        }
        // A request that the proxy refused never reached the server, and CONNECT is a matter of the proxy alone.
        if status != 407, !transaction.isConnect {
            append(transaction, place, key(connection, place, server, .origin))
        }
    }

    /// The index of a connection in `lines`.
    private mutating func place(of connection: Int) -> Int {
        if places[connection] >= 0 { return Int(places[connection]) }
        let address = capture.connections[connection].client.address
        let client = clientNumbers[address] ?? clients.count
        if client == clients.count {
            clientNumbers[address] = client
            clients.append(Client(address: address))
        }
        places[connection] = Int32(lines.count)
        lines.append(Line(client: client))
        return lines.count - 1
    }

    private mutating func concernsProxy(_ transaction: Transaction, _ connection: Int, _ place: Int) -> Bool {
        if transaction.status == 407 || !transaction.proxyFields.isEmpty { return true }
        guard transaction.isConnect else { return false }
        return groups[key(connection, place, origins.proxy(on: capture.connections[connection]), .proxy)] != nil
    }

    private func key(_ connection: Int, _ place: Int, _ server: Int, _ target: AuthenticationTarget) -> GroupKey {
        GroupKey(
            client: lines[place].client,
            process: capture.connections[connection].processNumber,
            server: server,
            target: target
        )
    }

    private mutating func append(_ transaction: Transaction, _ place: Int, _ key: GroupKey) {
        if let last = lines[place].group, last.key == key {
            return members[last.index].transactions.append(transaction)
        }
        let index = groups[key] ?? members.count
        if index == members.count {
            groups[key] = index
            members.append(
                Group(client: clients[key.client].address, origin: origins.origins[key.server], target: key.target)
            )
        }
        lines[place].group = (key, index)
        members[index].transactions.append(transaction)
    }

    private mutating func finish(_ workers: Workers) -> Sessions {
        // What only served the grouping makes room for what comes now.
        origins = OriginTable()
        groups = [:]
        lines = []
        places = []
        let judge = OutcomeJudge(
            connection: { [connections = capture.connections] in connections[$0 - 1] },
            captureEnd: capture.lastTime ?? Timestamp(nanoseconds: 0)
        )
        let asking = connectionsAskingForLogin
        var parts = workers.map(members.count) { [members] range in
            members[range].flatMap { SessionBuilder.sessions(of: $0, asking, judge) }
        }
        members = []
        var sessions: [SessionDraft] = []
        sessions.reserveCapacity(parts.reduce(0) { $0 + $1.count })
        for index in parts.indices {
            sessions += parts[index]
            parts[index] = []
        }
        addBareConnections(to: &sessions)
        var result = Sessions(
            numbering: sessions,
            KDCExchangeBuilder.build(from: capture.kdcRecords),
            tls: capture.tlsConnections
        )
        for client in clients {
            result.transactionsByClient[client.address] = client.transactions
            if !client.refused.isEmpty { result.refusedByClient[client.address] = client.refused }
        }
        return result
    }

    /// Tells the protection spaces of a group apart.
    private static func sessions(of group: Group, _ asking: Set<Int>, _ judge: OutcomeJudge) -> [SessionDraft] {
        var tracker = SpaceTracker(
            client: group.client,
            origin: group.origin,
            target: group.target,
            isLoginSeen: !asking.isEmpty && group.transactions.contains { asking.contains($0.connection) }
        )
        for transaction in group.transactions { tracker.receive(transaction) }
        return tracker.finish(judge)
    }

    /// The connections whose server wants the client's certificate (by asking, by another handshake, or in words), or wants
    /// the client to come back over HTTP/1.1.
    private var connectionsAskingForLogin: Set<Int> {
        guard !capture.tlsConnections.isEmpty || !capture.http2Connections.isEmpty else { return [] }
        let asking = capture.tlsConnections.lazy.filter {
            $0.certificateRequest != nil || $0.renegotiation?.from == .server
        }.map(\.connection)
        let refusing = capture.transactions.lazy.filter { $0.response?.certificateNotice != nil }.map(\.connection)
        let downgrading = capture.http2Connections.lazy.filter(\.isHTTP11Required).map(\.connection)
        return Set(asking).union(refusing).union(downgrading)
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
    fileprivate init(numbering unordered: [SessionDraft], _ kdcExchanges: [KDCExchange], tls: [TLSConnection]) {
        let order = unordered.indices.sorted {
            (unordered[$0].firstPacket, $0) < (unordered[$1].firstPacket, $1)
        }
        // Nearly always they are in order, and need no second array.
        let drafts = order.elementsEqual(unordered.indices) ? unordered : order.map { unordered[$0] }
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
                AuthenticationExchange(
                    exchange,
                    number: exchangeNumbers[index][place],
                    space: space.number,
                    tls: tls
                )
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
        var places: [(session: Int, exchange: Int)] = []
        // What begins an exchange and where it stands in one integer sort much faster than a tuple.
        var keys: [UInt64] = []
        for (session, draft) in drafts.enumerated() {
            for (exchange, content) in draft.exchanges.enumerated() {
                keys.append(UInt64(content.legs[0].transaction.number) << 32 | UInt64(places.count))
                places.append((session, exchange))
            }
        }
        keys.sort()
        var numbers = drafts.map { [Int](repeating: 0, count: $0.exchanges.count) }
        for (index, key) in keys.enumerated() {
            let place = places[Int(key & 0xFFFF_FFFF)]
            numbers[place.session][place.exchange] = index + 1
        }
        return numbers
    }
}
