public import AuthScanWire

/// Builds protection spaces, exchanges and client sessions from the transactions of a capture.
///
/// A client is an address. Its transactions are grouped by the server they are meant for, and by the proxy that they
/// went through where one asked for credentials; `SpaceTracker` then tells the protection spaces of a group apart.
public struct SessionBuilder {
    private struct GroupKey: Hashable {
        let client: IPAddress
        let origin: Origin
        let target: AuthenticationTarget
    }

    private let capture: WireCapture
    private var groups: [GroupKey: Int] = [:]
    private var members: [(key: GroupKey, transactions: [Transaction])] = []
    private var transactionsByClient: [IPAddress: [Transaction]] = [:]

    private init(_ capture: WireCapture) { self.capture = capture }

    /// Builds all sessions of a capture.
    public static func build(from capture: WireCapture) -> Sessions {
        var builder = SessionBuilder(capture)
        for http in capture.transactions { builder.add(http) }
        return builder.finish()
    }

    private mutating func add(_ http: HTTPTransaction) {
        let connection = capture.connections[http.connection - 1]
        let transaction = Transaction(http, on: connection)
        let client = connection.client.address
        transactionsByClient[client, default: []].append(transaction)
        let isProxyConcerned =
            transaction.status == 407 || !transaction.proxyFields.credentials.isEmpty
            || !transaction.proxyFields.challenges.isEmpty
        if isProxyConcerned || (http.request?.method == "CONNECT" && knowsProxy(connection, client)) {
            let proxy = Origin(scheme: "http", endpoint: connection.server)
            append(transaction, to: GroupKey(client: client, origin: proxy, target: .proxy))
        }
        // A request that the proxy refused never reached the server, and CONNECT is a matter of the proxy alone.
        if transaction.status != 407, http.request?.method != "CONNECT" {
            append(transaction, to: GroupKey(client: client, origin: transaction.origin, target: .origin))
        }
    }

    private func knowsProxy(_ connection: Connection, _ client: IPAddress) -> Bool {
        let proxy = Origin(scheme: "http", endpoint: connection.server)
        return groups[GroupKey(client: client, origin: proxy, target: .proxy)] != nil
    }

    private mutating func append(_ transaction: Transaction, to key: GroupKey) {
        if let index = groups[key] {
            members[index].transactions.append(transaction)
        } else {
            groups[key] = members.count
            members.append((key, [transaction]))
        }
    }

    private func finish() -> Sessions {
        let judge = OutcomeJudge(
            connection: { capture.connections[$0 - 1] },
            captureEnd: capture.lastTime ?? Timestamp(nanoseconds: 0)
        )
        var sessions: [ClientSession] = []
        for (key, transactions) in members {
            var tracker = SpaceTracker(client: key.client, origin: key.origin, target: key.target)
            for transaction in transactions { tracker.receive(transaction) }
            sessions += tracker.finish(judge)
        }
        var result = SessionBuilder.number(sessions)
        result.transactionsByClient = transactionsByClient
        return result
    }

    /// Numbers spaces, exchanges and sessions in the order in which they begin.
    private static func number(_ unordered: [ClientSession]) -> Sessions {
        struct SpaceKey: Hashable {
            let origin: Origin
            let realm: String?
            let isProxy: Bool
        }
        var result = Sessions()
        var spaces: [SpaceKey: Int] = [:]
        result.sessions = unordered.sorted { $0.entries[0].transaction.number < $1.entries[0].transaction.number }
        for index in result.sessions.indices {
            let space = result.sessions[index].space
            let key = SpaceKey(origin: space.origin, realm: space.realm, isProxy: space.isProxy)
            let number = spaces[key] ?? result.spaces.count + 1
            if spaces[key] == nil {
                spaces[key] = number
                result.spaces.append(space)
                result.spaces[number - 1].number = number
            } else {
                for scheme in space.schemes where !result.spaces[number - 1].schemes.contains(scheme) {
                    result.spaces[number - 1].schemes.append(scheme)
                }
            }
            result.sessions[index].number = index + 1
            result.sessions[index].space.number = number
        }
        result.numberExchanges()
        return result
    }
}

extension Sessions {
    /// Numbers the exchanges over all sessions by their first transaction.
    fileprivate mutating func numberExchanges() {
        var places: [(session: Int, exchange: Int, begin: Int)] = []
        for (session, value) in sessions.enumerated() {
            for (exchange, content) in value.exchanges.enumerated() {
                places.append((session, exchange, content.legs[0].transaction.number))
            }
        }
        places.sort { ($0.begin, $0.session) < ($1.begin, $1.session) }
        for (index, place) in places.enumerated() {
            sessions[place.session].exchanges[place.exchange].number = index + 1
            sessions[place.session].exchanges[place.exchange].space = sessions[place.session].space.number
            exchanges.append(sessions[place.session].exchanges[place.exchange])
        }
    }
}
