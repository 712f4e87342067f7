import AuthScanSchemes
import AuthScanWire

/// A session whose exchanges are being judged, and whose number is not known yet.
struct SessionDraft: Sendable {
    let client: IPAddress
    let target: AuthenticationTarget
    let space: ProtectionSpace
    private(set) var entries: [ClientSession.Entry]
    private(set) var exchanges: [ExchangeDraft]
    /// The numbers of the connections on which no application was heard.
    var bareConnections: [Int] = []
    /// The packet that it begins with.
    let firstPacket: Int

    init(
        client: IPAddress,
        target: AuthenticationTarget,
        space: ProtectionSpace,
        entries: [ClientSession.Entry],
        exchanges: [ExchangeDraft]
    ) {
        self.client = client
        self.target = target
        self.space = space
        self.entries = entries
        self.exchanges = exchanges
        firstPacket = entries.first?.transaction.http.firstPacket ?? 0
    }

    /// A session of a client and a server between whom no application was heard.
    init(_ group: BareConnections.Group) {
        client = group.client
        target = .origin
        space = ProtectionSpace(number: 0, origin: group.origin, realm: nil, isProxy: false, schemes: [])
        entries = []
        exchanges = []
        bareConnections = group.connections
        firstPacket = group.firstPacket
    }

    /// Takes out exchanges that were joined to others, and lets their entries point to the ones that took them in.
    mutating func drop(_ removed: Set<Int>) {
        guard !removed.isEmpty else { return }
        exchanges = exchanges.enumerated().filter { !removed.contains($0.offset) }.map(\.element)
        var owner: [Int: Int] = [:]
        for (index, exchange) in exchanges.enumerated() {
            for leg in exchange.legs { owner[leg.transaction.number] = index }
        }
        for index in entries.indices where entries[index].exchange != nil {
            entries[index].exchange = owner[entries[index].transaction.number]
        }
    }

    mutating func judge(_ judge: OutcomeJudge) {
        for index in exchanges.indices {
            let lastPacket = exchanges[index].lastLeg.transaction.packet
            let isFollowed = entries.last.map { $0.transaction.packet > lastPacket } ?? false
            exchanges[index].outcome = judge.outcome(of: exchanges[index], isFollowed: isFollowed)
        }
    }

    /// Marks bare requests on connections that an accepted NTLM or Negotiate exchange authenticated before.
    ///
    /// - Source: RFC 4559 §6; MS-NTHT.
    mutating func markAuthenticatedConnections() {
        var authenticated: [Int: Int] = [:]
        for index in entries.indices {
            let transaction = entries[index].transaction
            if let exchange = entries[index].exchange {
                let value = exchanges[exchange]
                guard value.isConnectionBound, value.lastLeg.transaction === transaction else { continue }
                authenticated[transaction.connection] = value.outcome == .accepted ? exchange : nil
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
