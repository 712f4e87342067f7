import AuthScanBytes
import AuthScanSchemes
import AuthScanWire
import Synchronization

/// Decodes the transactions of each group, and tells its protection spaces apart while they are at hand.
///
/// Transactions are decoded group by group, not in packet order: what is looked at together from here on, by the rules as well,
/// then lies together in memory.
struct GroupReader: Sendable {
    /// What comes of a range of groups.
    struct Part: Sendable {
        /// Those of the groups' members, in the order of these.
        fileprivate(set) var transactions: [Transaction] = []
        fileprivate(set) var drafts: [SessionDraft] = []
        /// Where the drafts' exchanges begin, draft by draft.
        fileprivate(set) var starts: [ExchangeStart] = []
        /// What they show together.
        fileprivate(set) var census = Census()
    }

    fileprivate let captured: CapturedTransactions
    fileprivate let groups: TransactionGroups
    fileprivate let judge: OutcomeJudge
    fileprivate let tls: [TLSConnection]
    /// The connections whose server is known to want a login.
    private let asking: Set<Int>
    /// Those of the transactions that belong to two groups, or to none: each is decoded once.
    private var apart: [Transaction] = []
    /// The index in `apart` by the transaction's; empty where nothing is apart.
    private var placesApart: [Int32] = []

    init(_ capture: WireCapture, _ groups: TransactionGroups, askingForLogin asking: Set<Int>, _ workers: Workers) {
        captured = capture.transactions
        self.groups = groups
        self.asking = asking
        tls = capture.tlsConnections
        judge = OutcomeJudge(
            connections: capture.connections,
            captureEnd: capture.lastTime ?? Timestamp(nanoseconds: 0)
        )
        readApart(workers)
    }

    private mutating func readApart(_ workers: Workers) {
        guard !groups.apart.isEmpty else { return }
        placesApart = [Int32](repeating: -1, count: captured.count)
        for (place, index) in groups.apart.enumerated() { placesApart[Int(index)] = Int32(place) }
        let reader = self
        apart = Workers.gathered(
            workers.map(groups.apart.count) { range in
                var pass = Pass(reader, over: 0..<0)
                return range.map { pass.decode(reader.groups.apart[$0]) }
            }
        )
    }

    /// The transaction with an index, where it is one of those that are apart; `nil` otherwise.
    fileprivate func transactionApart(_ index: Int32) -> Transaction? {
        let place = placesApart.isEmpty ? -1 : placesApart[Int(index)]
        return place < 0 ? nil : apart[Int(place)]
    }

    /// Whether the server of any of these is known to want a login.
    fileprivate func isLoginKnown(_ transactions: [Transaction]) -> Bool {
        !asking.isEmpty && transactions.contains { asking.contains($0.connection) }
    }

    /// Reads a range of the groups.
    func read(_ range: Range<Int>) -> Part {
        var pass = Pass(self, over: range)
        for index in range { pass.read(index) }
        return pass.part
    }

    /// The drafts of all parts.
    static func takeDrafts(of parts: inout [Part]) -> [SessionDraft] {
        Workers.gathered(parts.indices.map { exchange(&parts[$0].drafts, with: []) })
    }

    /// The transactions of all parts.
    static func takeTransactions(of parts: inout [Part]) -> [[Transaction]] {
        parts.indices.map { exchange(&parts[$0].transactions, with: []) }
    }

    /// What the sessions of all parts show together.
    static func census(of parts: [Part]) -> Census { parts.reduce(into: Census()) { $0.add($1.census) } }

    /// Where the exchanges of all parts' drafts begin.
    static func exchangeStarts(in parts: [Part]) -> [ExchangeStart] {
        var starts: [ExchangeStart] = []
        starts.reserveCapacity(parts.reduce(0) { $0 + $1.starts.count })
        var drafts: Int32 = 0
        for part in parts {
            for start in part.starts { starts.append(ExchangeStart(draft: drafts + start.draft, key: start.key)) }
            drafts += Int32(part.drafts.count)
        }
        return starts
    }

    /// Every transaction of the capture in packet order, out of what came of all groups.
    func transactions(_ handedOver: borrowing Mutex<[[Transaction]]>) -> [Transaction] {
        var parts = handedOver.withLock { exchange(&$0, with: []) }
        guard let any = apart.first ?? parts.lazy.compactMap(\.first).first else { return [] }
        var all = [Transaction](repeating: any, count: captured.count)
        for (place, transaction) in apart.enumerated() { all[Int(groups.apart[place])] = transaction }
        // From the end, so that references are moved, and no transaction is touched.
        var place = groups.members.count
        for part in parts.indices.reversed() {
            while let transaction = parts[part].popLast() {
                place -= 1
                all[Int(groups.members[place])] = transaction
            }
        }
        return all
    }
}

/// Reads groups in a row.
private struct Pass {
    /// How many transactions are looked up at once.
    private static let transactionsLookedUp = 32

    private let reader: GroupReader
    private let captured: CapturedTransactions
    private let members: ArraySlice<Int32>
    /// The next of the members to be looked up.
    private var ahead: Int
    private var recent = RecentCredentials()
    /// The list of schemes that a session had last.
    private var schemes: [AuthenticationScheme] = []
    private(set) var part = GroupReader.Part()

    init(_ reader: GroupReader, over range: Range<Int>) {
        self.reader = reader
        captured = reader.captured.detached()
        members = reader.groups.members(of: range)
        ahead = members.startIndex
        part.drafts.reserveCapacity(range.count)
        part.transactions.reserveCapacity(members.count)
        part.census.reserveCapacity(members.count / 4)
    }

    /// Decodes a transaction.
    mutating func decode(_ index: Int32) -> Transaction {
        let origin = reader.groups.origins[Int(reader.groups.servers[Int(index)])]
        return Transaction(captured, Int(index), origin: origin, &recent)
    }

    /// Reads the next group.
    mutating func read(_ index: Int) {
        let own = reader.groups.members(of: index)
        while ahead < own.endIndex { lookUpNext() }
        let transactions = own.map { reader.transactionApart($0) ?? decode($0) }
        part.transactions += transactions
        let group = reader.groups.groups[index]
        var tracker = SpaceTracker(
            transactions,
            target: group.target,
            isLoginSeen: reader.isLoginKnown(transactions)
        )
        let ends = SessionDraft.Group(client: reader.groups.clients[Int(group.client)], server: group.server)
        let first = part.drafts.count
        tracker.finish(ends, reader.judge, tls: reader.tls, sharing: &schemes, into: &part.drafts)
        for draft in first..<part.drafts.count {
            part.starts += part.drafts[draft].exchangeStarts(at: draft)
            part.census.add(part.drafts[draft])
        }
    }

    private mutating func lookUpNext() {
        let next = min(ahead + Pass.transactionsLookedUp, members.endIndex)
        captured.prefetch(members[ahead..<next])
        ahead = next
    }
}
