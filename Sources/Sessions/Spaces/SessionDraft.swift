import AuthScanNativeCodecs
import AuthScanSchemes
import AuthScanWire

/// A session whose number is not known yet, nor those of its exchanges.
struct SessionDraft: Sendable {
    /// The client, and the server or proxy by its number among the capture's.
    struct Group: Sendable {
        let client: IPAddress
        let server: Int32
    }

    let group: Group
    let target: AuthenticationTarget
    let realm: String?
    let schemes: [AuthenticationScheme]
    let schemeKinds: SchemeKinds
    private(set) var entries: [ClientSession.Entry] = []
    var exchanges: [AuthenticationExchange] = []
    private(set) var tally = ExchangeTally()
    /// The numbers of the connections on which no application was heard.
    var bareConnections: [Int] = []
    /// The packet that it begins with.
    private(set) var firstPacket = 0

    /// A session without transactions so far.
    init(_ group: Group, _ target: AuthenticationTarget, realm: String?, schemes: [AuthenticationScheme]) {
        self.group = group
        self.target = target
        self.realm = realm
        self.schemes = schemes
        schemeKinds = SchemeKinds(schemes)
    }

    /// A session of a client and a server, by its number, between whom no application was heard.
    init(_ bare: BareConnections.Group, server: Int32) {
        group = Group(client: bare.client, server: server)
        target = .origin
        realm = nil
        schemes = []
        schemeKinds = SchemeKinds()
        bareConnections = bare.connections
        firstPacket = bare.firstPacket
    }

    /// Makes room for all its transactions and exchanges.
    mutating func reserveCapacity(entries entryCount: Int, exchanges exchangeCount: Int) {
        entries.reserveCapacity(entryCount)
        exchanges.reserveCapacity(exchangeCount)
    }

    /// Asks for its exchanges, and waits for nothing.
    func prefetchExchanges() {
        exchanges.prefetchObjects(0..<SessionDraft.exchangesAhead, byteCount: 3 * CacheLine.bytes)
    }

    /// How many exchanges are asked for: most sessions have fewer.
    private static let exchangesAhead = 16

    /// Where its exchanges begin; `index` is its own among the drafts.
    func exchangeStarts(at index: Int) -> some Sequence<ExchangeStart> {
        exchanges.lazy.map { ExchangeStart(draft: Int32(index), key: $0.key) }
    }

    mutating func append(_ entry: ClientSession.Entry) {
        if entries.isEmpty { firstPacket = entry.transaction.firstPacket }
        entries.append(entry)
    }

    /// Says what follows from all of its transactions and exchanges.
    mutating func conclude() {
        tally = ExchangeTally(exchanges)
        markAuthenticatedConnections()
    }

    /// Marks bare requests on connections that an accepted NTLM or Negotiate exchange authenticated before.
    ///
    /// - Source: RFC 4559 §6; MS-NTHT.
    private mutating func markAuthenticatedConnections() {
        guard tally.contains(.ntlm) || tally.contains(.negotiate) else { return }
        var authenticated: [Int: Int] = [:]
        for index in entries.indices {
            let transaction = entries[index].transaction
            if let exchange = entries[index].exchange {
                let isLast = exchanges[exchange].lastSummary.number == transaction.number
                guard exchanges[exchange].isConnectionBound, isLast else { continue }
                authenticated[transaction.connection] = exchanges[exchange].outcome == .accepted ? exchange : nil
            } else if let exchange = authenticated[transaction.connection] {
                if transaction.status == target.refusalStatus {
                    authenticated[transaction.connection] = nil
                } else {
                    entries[index].connectionAuthenticatedBy = exchange
                }
            }
        }
    }
}
