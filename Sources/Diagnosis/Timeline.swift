import AuthScanSessions
import AuthScanWire

/// What a client experienced in a chain, in order: a small mark for each event, for a large capture has tens of thousands.
struct Timeline: Sendable {
    /// One event: what it was, and the index of its transaction among the session's entries.
    struct Mark: Sendable {
        let kind: ChainEvent.Kind
        private let storedEntry: Int32

        var entry: Int { Int(storedEntry) }

        fileprivate init(_ kind: ChainEvent.Kind, entry: Int) {
            self.kind = kind
            storedEntry = Int32(clamping: entry)
        }
    }

    /// The events in order.
    let marks: [Mark]

    /// The marks of what was delivered to the authenticated client, by packet.
    let successes: [Mark]

    /// Which of the traits about events there are.
    let traits: ChainTraits

    /// Derives the events of a session.
    init(_ session: ClientSession, in context: CaptureContext) {
        var builder = TimelineBuilder(session, context)
        builder.build()
        (marks, traits) = (builder.marks, builder.traits)
        let successes = builder.successes
        let entries = session.entries
        self.successes =
            builder.areSuccessesInOrder
            ? successes
            : successes.sorted { entries[$0.entry].transaction.packet < entries[$1.entry].transaction.packet }
    }
}

extension ChainTraits {
    /// What one event shows.
    fileprivate init(_ event: ChainEvent.Kind, isBare: Bool) {
        switch event {
        case .accepted: self = [.success]
        case .open: self = isBare ? [.openChallenge] : []
        case .unanswered: self = [.unanswered, .failure]
        case .bareForbidden: self = [.bareForbidden, .failure]
        case .forbidden, .rejected, .broken, .abandoned, .noChallenge, .preflightRefused: self = [.failure]
        }
    }
}

/// Derives the events of a chain from its entries.
private struct TimelineBuilder {
    private let entries: [ClientSession.Entry]
    private let exchanges: [AuthenticationExchange]
    private let target: AuthenticationTarget
    private let refusalStatus: Int
    private let context: CaptureContext
    private var refusals: RefusedResources
    private var answers: LaterCredentials

    private(set) var marks: [Timeline.Mark] = []
    private var successCount = 0
    private(set) var traits: ChainTraits = []
    /// Whether the packets of the successes ascend, and the packet of the last one.
    private(set) var areSuccessesInOrder = true
    private var lastSuccess = 0

    init(_ session: ClientSession, _ context: CaptureContext) {
        entries = session.entries
        exchanges = session.exchanges
        target = session.target
        refusalStatus = session.target.refusalStatus
        self.context = context
        refusals = RefusedResources()
        answers = LaterCredentials()
    }

    mutating func build() {
        marks.reserveCapacity(entries.count)
        for index in entries.indices {
            let kind = kind(ofEntry: index)
            if entries[index].summary.status == refusalStatus { refusals.add(index) }
            if let kind { add(kind, index) }
        }
    }

    /// The marks of successes: mostly all there are, which then are not copied.
    var successes: [Timeline.Mark] {
        successCount == marks.count ? marks : marks.filter { $0.kind == .accepted }
    }

    private mutating func add(_ kind: ChainEvent.Kind, _ index: Int) {
        marks.append(Timeline.Mark(kind, entry: index))
        traits.formUnion(ChainTraits(kind, isBare: entries[index].exchange == nil))
        guard kind == .accepted else { return }
        successCount += 1
        let packet = entries[index].summary.packet
        if packet < lastSuccess { areSuccessesInOrder = false }
        lastSuccess = packet
    }

    private mutating func kind(ofEntry index: Int) -> ChainEvent.Kind? {
        guard let exchange = entries[index].exchange else { return kind(ofBare: index) }
        return kind(ofExchange: exchange, at: index)
    }

    /// What a request with credentials led to; `nil` for a leg that is not the last of its exchange.
    private func kind(ofExchange exchange: Int, at index: Int) -> ChainEvent.Kind? {
        guard exchanges[exchange].lastSummary.number == entries[index].summary.number else { return nil }
        switch exchanges[exchange].outcome {
        // A 401 whose token says accept-completed refuses the resource, not the user.
        case .accepted: return isRefusal(entries[index].summary.status) ? .forbidden : .accepted
        case .rejected: return isRefusalWithoutChallenge(entries[index].transaction) ? .noChallenge : .rejected
        case .broken: return .broken
        case .abandoned: return .abandoned
        case .unknown: return .open
        }
    }

    private func isRefusal(_ status: Int?) -> Bool { status == 403 || status == refusalStatus }

    /// What a bare request led to; `nil` where it says nothing about authentication.
    private mutating func kind(ofBare index: Int) -> ChainEvent.Kind? {
        guard let status = entries[index].summary.status else { return nil }
        if status == refusalStatus { return kind(ofBareRefusal: index) }
        if entries[index].connectionAuthenticatedBy != nil { return status == 403 ? .forbidden : .accepted }
        guard successCount > 0 || refusals.contains(entries[index].transaction, in: entries) else { return nil }
        return status == 403 ? .bareForbidden : .accepted
    }

    private mutating func kind(ofBareRefusal index: Int) -> ChainEvent.Kind? {
        let transaction = entries[index].transaction
        if transaction.isPreflight { return .preflightRefused }
        if isRefusalWithoutChallenge(transaction) { return .noChallenge }
        guard !answers.follow(index, in: entries), !transaction.isBackgroundFetch, !transaction.isProbe else {
            return nil
        }
        return context.isSilenceProven(after: transaction) ? .unanswered : .open
    }

    private func isRefusalWithoutChallenge(_ transaction: Transaction) -> Bool {
        transaction.status == refusalStatus && transaction.fields(for: target).challenges.isEmpty
            && transaction.response?.isHeadComplete == true
    }
}

/// The resources that were refused so far.
///
/// They are put into a set when somebody asks for the first time: mostly a success comes first, and nobody does.
private struct RefusedResources {
    private var pending: [Int] = []
    private var resources: Set<ArraySlice<UInt8>> = []

    /// Adds the resource of an entry.
    mutating func add(_ entry: Int) { pending.append(entry) }

    /// Whether the resource that a transaction asks for was refused.
    mutating func contains(_ transaction: Transaction, in entries: [ClientSession.Entry]) -> Bool {
        for entry in pending { resources.insert(entries[entry].transaction.pathBytes) }
        pending.removeAll()
        return !resources.isEmpty && resources.contains(transaction.pathBytes)
    }
}

/// Tells whether credentials followed a challenge: on its connection, or for its resource.
///
/// A connection that a handshake authenticated brings them with every request. They mostly come among the next few requests. Where they do not, tables of the last credentials of each connection and
/// resource tell, so that a chain of many refusals costs no more than it is long.
private struct LaterCredentials {
    private static let nearby = 8

    private struct Tables {
        /// The request packet of the last request with credentials, by connection and by resource.
        var onConnection: [Int: Int] = [:]
        var forResource: [ArraySlice<UInt8>: Int] = [:]
    }

    private var tables: Tables?

    /// Whether credentials follow the refusal of the entry with this index.
    mutating func follow(_ index: Int, in entries: [ClientSession.Entry]) -> Bool {
        let refused = entries[index].transaction
        let challenge = refused.responsePacket ?? refused.packet
        let path = refused.pathBytes
        for next in entries[(index + 1)...].prefix(LaterCredentials.nearby) where next.isAuthenticated {
            guard next.transaction.packet > challenge else { continue }
            if next.transaction.connection == refused.connection || next.transaction.pathBytes == path { return true }
        }
        let tables = self.tables ?? LaterCredentials.tables(of: entries)
        self.tables = tables
        return tables.onConnection[refused.connection] ?? 0 > challenge || tables.forResource[path] ?? 0 > challenge
    }

    private static func tables(of entries: [ClientSession.Entry]) -> Tables {
        var tables = Tables()
        for entry in entries where entry.isAuthenticated {
            tables.onConnection[entry.transaction.connection] = entry.transaction.packet
            tables.forResource[entry.transaction.pathBytes] = entry.transaction.packet
        }
        return tables
    }
}

extension ClientSession.Entry {
    /// Whether the request brings credentials, or its connection has.
    fileprivate var isAuthenticated: Bool { exchange != nil || connectionAuthenticatedBy != nil }
}
