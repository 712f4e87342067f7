import AuthScanSchemes
import AuthScanWire

/// What a client asked of the key distribution centers of one realm, apart from any HTTP session.
struct KDCGroup {
    let client: IPAddress
    let realm: String
    var exchanges: [KDCExchange]

    var firstPacket: Int { exchanges[0].packet }
}

/// Ties what clients ask of key distribution centers to the HTTP sessions that it bears on: by client, time and service name.
///
/// A session of which Negotiate or Kerberos is a scheme needs a ticket for `HTTP/` and its host, and for that a ticket of the
/// user. It may have either from before, so that time alone decides about the user's.
struct KDCTies {
    /// How long before the first transaction an exchange may lie, in seconds.
    private static let secondsBefore = 300.0
    /// How long after the last one.
    private static let secondsAfter = 10.0
    /// Within how many seconds a client asks for the same server under another name.
    private static let secondsToRename = 5.0
    /// How many exchanges are looked at for one session, the latest ones.
    private static let limit = 256

    private let exchanges: [KDCExchange]
    private var byClient: [IPAddress: [KDCExchange]] = [:]
    private var isClaimed: [Bool]

    init(_ exchanges: [KDCExchange]) {
        self.exchanges = exchanges
        isClaimed = [Bool](repeating: false, count: exchanges.count)
        for exchange in exchanges { byClient[exchange.client.address, default: []].append(exchange) }
        for client in byClient.keys { byClient[client]?.sort { ($0.time, $0.number) < ($1.time, $1.number) } }
    }

    /// The exchanges that bear on a session, in packet order.
    ///
    /// `origin` is the session's server.
    mutating func claim(for draft: SessionDraft, at origin: Origin) -> [KDCExchange] {
        guard let own = byClient[draft.group.client], let first = draft.entries.first?.transaction,
            let last = draft.entries.last?.transaction,
            draft.schemes.contains(where: { $0.kind == .negotiate || $0.kind == .kerberos })
        else { return [] }
        let start = KDCTies.index(in: own) { $0.time.seconds(since: first.startTime) >= -KDCTies.secondsBefore }
        let end = KDCTies.index(in: own) { $0.time.seconds(since: last.endTime) > KDCTies.secondsAfter }
        guard start < end else { return [] }
        var claimed: [KDCExchange] = []
        var unknown: Timestamp?
        for exchange in own[max(start, end - KDCTies.limit)..<end] {
            let names = exchange.sname.map { $0.names(host: origin.host) } ?? .another
            let isRenamed = unknown.map { exchange.time.seconds(since: $0) <= KDCTies.secondsToRename } ?? false
            guard
                exchange.isInitial == true || names == .same || names == .anotherRealm
                    || names == .anotherHost && isRenamed
            else { continue }
            if names == .same, exchange.error?.errorCode.rawValue == 7 { unknown = exchange.time }
            claimed.append(exchange)
            isClaimed[exchange.number - 1] = true
        }
        return claimed.sorted { $0.number < $1.number }
    }

    /// The index of the first exchange of which something is true that stays true.
    private static func index(in exchanges: [KDCExchange], where isReached: (KDCExchange) -> Bool) -> Int {
        var (low, high) = (0, exchanges.count)
        while low < high {
            let middle = (low + high) / 2
            if isReached(exchanges[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// What bears on no session, by client and realm, in the order in which it begins.
    func unclaimed() -> [KDCGroup] {
        struct Key: Hashable {
            let client: IPAddress
            let realm: String
        }
        var indices: [Key: Int] = [:]
        var groups: [KDCGroup] = []
        for exchange in exchanges where !isClaimed[exchange.number - 1] {
            guard let realm = exchange.realm?.uppercased() else { continue }
            let key = Key(client: exchange.client.address, realm: realm)
            if let index = indices[key] {
                groups[index].exchanges.append(exchange)
            } else {
                indices[key] = groups.count
                groups.append(KDCGroup(client: key.client, realm: realm, exchanges: [exchange]))
            }
        }
        return groups
    }
}

extension PrincipalName {
    /// What a service's name means to a session.
    fileprivate enum Service {
        /// `HTTP/` and the session's host.
        case same
        /// `HTTP/` and another host.
        case anotherHost
        /// A ticket of a key distribution center.
        case anotherRealm
        /// Any other service.
        case another
    }

    fileprivate func names(host: String) -> Service {
        guard nameString.count >= 2 else { return .another }
        if nameString[0].lowercased() == "krbtgt" { return .anotherRealm }
        guard nameString[0].lowercased() == "http" else { return .another }
        return nameString[1].isSameHost(as: host) ? .same : .anotherHost
    }
}

extension String {
    /// Whether two host names are equal but for case, or one is the other's first label.
    fileprivate func isSameHost(as other: String) -> Bool {
        let (own, other) = (lowercased(), other.lowercased())
        return own == other || own.hasPrefix(other + ".") && !other.contains(".")
            || other.hasPrefix(own + ".") && !own.contains(".")
    }
}
