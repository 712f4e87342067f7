public import AuthScanBytes
import AuthScanSchemes
public import AuthScanSessions
public import AuthScanWire

/// What the whole capture says beside a chain's own transactions.
public final class CaptureContext: Sendable {
    /// The packet stages' result.
    public let capture: WireCapture

    private let sessions: Sessions
    /// The indices of the exchanges with an AUTHENTICATE_MESSAGE, by the key of the proof in it.
    private let exchangesByProof: [Int: [Int]]
    private let schemesByClient: [IPAddress: UsedSchemes]
    private let forwarding: ForwardingTable
    /// The TLS connections by the number of the TCP connection; of two, one inside the other, the server's own.
    private let tlsByConnection: [Int: TLSConnection]

    /// What the secrets that the user believes right say about the captured proofs.
    let proofs: Proofs
    /// What all clients together show of accounts.
    let accounts: AccountTable
    /// The tickets that clients got.
    let tickets: TicketTable

    /// Wraps the results of the earlier stages; its tables are made by `workers`.
    public init(_ capture: WireCapture, _ sessions: Sessions, proofs: Proofs = .none, workers: Workers = .one) {
        self.capture = capture
        self.sessions = sessions
        self.proofs = proofs
        let (accounts, byProof, refused) = AccountTable.table(of: sessions, workers) {
            CaptureContext.exchangesByProof(sessions)
        } and: {
            (forwarding: ForwardingTable(sessions.refusedByClient), schemes: CaptureContext.schemesByClient(sessions))
        }
        self.accounts = accounts
        forwarding = refused.forwarding
        schemesByClient = refused.schemes
        exchangesByProof = byProof
        tlsByConnection = Dictionary(capture.tlsConnections.map { ($0.connection, $0) }) { $1 }
        tickets = TicketTable(sessions.kdcExchanges)
    }

    /// Empty where all handshakes come from one host: there is no other side of a proxy then.
    private static func exchangesByProof(_ sessions: Sessions) -> [Int: [Int]] {
        let handshakes = sessions.sessions.filter(\.tally.hasNTLM).flatMap { $0.exchanges.filter(\.isNTLM) }
        guard let first = handshakes.first, handshakes.contains(where: { $0.client != first.client }) else {
            return [:]
        }
        var indices: [Int: [Int]] = [:]
        for exchange in handshakes {
            if let proof = exchange.authenticate?.message.ntChallengeResponse {
                indices[key(of: proof), default: []].append(exchange.number - 1)
            }
        }
        return indices.mapValues { $0.sorted() }
    }

    /// What proofs are looked up by: a hash of NTLMv1's as a whole, or of what HMAC made of the rest of NTLMv2's.
    ///
    /// - Source: MS-NLMP §2.2.2.6, §2.2.2.8.
    private static func key(of proof: Secret<[UInt8]>) -> Int {
        proof.withRevealed { $0.prefix(24).hashValue }
    }

    /// Of the clients that were refused anything: nobody asks about others.
    private static func schemesByClient(_ sessions: Sessions) -> [IPAddress: UsedSchemes] {
        var schemes: [IPAddress: UsedSchemes] = [:]
        for refused in sessions.refusedByClient { schemes[refused.client] = UsedSchemes() }
        sessions.sessions.forEachSession { if $0.target == .proxy { schemes[$0.client] = UsedSchemes() } }
        sessions.sessions.forEachSession { session in
            guard !session.exchanges.isEmpty, schemes[session.client] != nil else { return }
            schemes[session.client, default: UsedSchemes()].formUnion(UsedSchemes(in: session))
        }
        return schemes
    }

    /// The request that a proxy made of a refused one, where the capture holds both sides of the proxy.
    func forwardedCopy(of transaction: Transaction, from client: IPAddress) -> Transaction? {
        forwarding.copy(of: transaction, from: client)
    }

    /// The schemes of which a client sent credentials anywhere in the capture: those it can do for certain.
    ///
    /// None for a client that was refused nothing.
    func schemes(usedBy client: IPAddress) -> UsedSchemes { schemesByClient[client] ?? UsedSchemes() }

    /// The next transactions of a client behind one of its own, to whatever server, at most `count`.
    func transactions(
        of client: IPAddress,
        after transaction: Transaction,
        atMost count: Int
    ) -> ClientTransactions {
        let all = transactions(of: client)
        return all[all.firstIndexInOrder { $0.number > transaction.number }...].prefix(count)
    }

    /// The last transactions of a client before one of its own, to whatever server, at most `count`.
    func transactions(
        of client: IPAddress,
        before transaction: Transaction,
        atMost count: Int
    ) -> ClientTransactions {
        let all = transactions(of: client)
        return all[..<all.firstIndexInOrder { $0.number >= transaction.number }].suffix(count)
    }

    /// The same handshake on the other side of a proxy or load balancer, where the capture has both: an exchange of
    /// another client with the very same AUTHENTICATE_MESSAGE; `nil` where there is none.
    public func forwarded(_ exchange: AuthenticationExchange) -> AuthenticationExchange? {
        guard !exchangesByProof.isEmpty, let message = exchange.authenticate?.message,
            let proof = message.ntChallengeResponse, let indices = exchangesByProof[CaptureContext.key(of: proof)]
        else { return nil }
        return indices.lazy.map { self.sessions.exchanges[$0] }.first {
            $0.client != exchange.client && $0.authenticate?.message == message
        }
    }

    /// Whether the legs of an exchange went to several servers.
    public func isSpreadOverServers(_ exchange: AuthenticationExchange) -> Bool {
        Set(exchange.connections.map { connection($0).server }).count > 1
    }

    /// Every transaction of a client in packet order, to whatever server.
    public func transactions(of client: IPAddress) -> ClientTransactions {
        sessions.transactionsByClient[client] ?? ClientTransactions()
    }

    /// The TLS on a connection; `nil` where there is none.
    public func tls(on number: Int) -> TLSConnection? { tlsByConnection[number] }

    /// A connection by its number.
    public func connection(_ number: Int) -> Connection { capture.connections[number - 1] }

    /// The server's end of a connection, by its number.
    func server(on number: Int) -> Endpoint { capture.connections[number - 1].server }

    /// The latest time stamp of the capture.
    public var end: Timestamp { capture.lastTime ?? Timestamp(nanoseconds: 0) }

    /// Whether it is proven that a client did not go on after a response; see `Silence`.
    func isSilenceProven(after transaction: Transaction) -> Bool {
        // Time is asked first: it costs nothing, and mostly suffices.
        end.seconds(since: transaction.endTime) >= ClientPatience.seconds
            || Silence(after: transaction, on: connection(transaction.connection), captureEnd: end) != nil
    }
}

/// One client in one protection space, as the rules see it.
public struct Chain: Sendable {
    /// The transactions and exchanges.
    public let session: ClientSession

    /// The capture that they come from.
    public let context: CaptureContext

    /// What the client experienced, in order.
    let course: Timeline

    /// What there is in the chain at all.
    let traits: ChainTraits

    /// What is wrong with the Digest answers, where one was refused.
    let digestFaults: DigestFaults

    /// What became of the client after a form login, where it was turned away.
    let aftermath: LoginAftermath?

    /// The packet of the last request with credentials that ends an exchange; 0 where there is none.
    let lastCredentialsPacket: Int

    /// Derives what rules share from a session.
    public init(_ session: ClientSession, in context: CaptureContext) {
        self.session = session
        self.context = context
        course = Timeline(session, in: context)
        let traits = ChainTraits(session).union(course.traits)
        digestFaults = traits.contains(.rejectedDigest) ? DigestFaults(in: session) : DigestFaults()
        aftermath = traits.contains(.formLogin) ? LoginAftermath(in: session) : nil
        self.traits = traits.union(digestFaults.hasRefusedFault ? .digestFault : [])
            .union(aftermath == nil ? [] : .turnedAway)
        lastCredentialsPacket = session.exchanges.reduce(0) { max($0, $1.lastSummary.packet) }
    }
}

extension Chain {
    /// The transactions in packet order, with what authenticates each.
    public var entries: [ClientSession.Entry] { session.entries }

    /// The tries to authenticate, in order.
    public var exchanges: [AuthenticationExchange] { session.exchanges }

    /// Whether the server or a proxy asks.
    public var target: AuthenticationTarget { session.target }

    /// The protection space.
    public var space: ProtectionSpace { session.space }

    /// The connection that carried a transaction.
    public func connection(of transaction: Transaction) -> Connection { context.connection(transaction.connection) }

    /// What the client experienced, in order.
    public var timeline: [ChainEvent] { course.marks.map(event) }

    /// The events of some kinds, in order.
    func events(where isMeant: (ChainEvent.Kind) -> Bool) -> [ChainEvent] {
        course.marks.filter { isMeant($0.kind) }.map(event)
    }

    /// The event of a mark.
    func event(_ mark: Timeline.Mark) -> ChainEvent {
        let entry = session.entries[mark.entry]
        return ChainEvent(kind: mark.kind, transaction: entry.transaction, exchange: entry.exchange)
    }

    /// The last delivery to the authenticated client.
    var lastSuccess: ChainEvent? {
        traits.contains(.success) ? course.marks.last { $0.kind == .accepted }.map(event) : nil
    }

    /// Whether the client ends up with success.
    public var endsInSuccess: Bool { course.marks.last { $0.kind != .open }?.kind == .accepted }

    /// The failures after the last success, in order; empty where the chain ends well.
    public var finalFailures: [ChainEvent] {
        guard traits.contains(.failure) else { return [] }
        let marks = course.marks
        let start = marks.lastIndex { $0.kind == .accepted }.map { $0 + 1 } ?? 0
        let failures = marks[start...].filter { $0.kind != .open }
        guard failures.isEmpty else { return failures.map(event) }
        // A request that fails for another reason (404, 405) shows no permission that an earlier 403 denied.
        let served = marks.lastIndex { $0.kind == .accepted && event($0).transaction.isServed }.map { $0 + 1 } ?? 0
        return marks[served...].filter { $0.kind == .forbidden }.map(event)
    }

    /// The exchange of an event; `nil` for an event of a bare request.
    public func exchange(of event: ChainEvent) -> AuthenticationExchange? { event.exchange.map { exchanges[$0] } }

    /// Whether a later exchange of the chain was accepted, within a time after a transaction.
    public func isMadeGood(after transaction: Transaction, within seconds: Double = .infinity) -> Bool {
        let (successes, entries) = (course.successes, session.entries)
        let packet = transaction.packet
        let next = successes.firstIndexInOrder { entries[$0.entry].transaction.packet > packet }
        guard next < successes.endIndex else { return false }
        return entries[successes[next].entry].transaction.startTime.seconds(since: transaction.endTime) <= seconds
    }

    /// How the client's silence after a response is proven: it closed the connection of its own accord, or the capture
    /// goes on for longer than `ClientPatience.seconds`; `nil` where the capture may end too early to tell.
    public func provenSilence(after transaction: Transaction) -> Silence? {
        Silence(after: transaction, on: connection(of: transaction), captureEnd: context.end)
    }

    /// What makes absence unsure on the connections of some transactions; `nil` where nothing is missing there.
    public func incompleteness(of transactions: some Sequence<Transaction>) -> Incompleteness? {
        var numbers: Set<Int> = []
        var reason = ""
        for transaction in transactions {
            let connection = connection(of: transaction)
            guard let lack = connection.lack(around: transaction) else { continue }
            numbers.insert(connection.number)
            reason = lack
        }
        return numbers.isEmpty ? nil : Incompleteness(reason, connections: numbers.sorted())
    }
}

/// The proof that a client did not go on.
public enum Silence: Hashable, Sendable {
    /// The client closed or reset the connection, in this packet.
    case closed(packet: Int)
    /// Nothing came for this many seconds, up to the end of the capture.
    case seconds(Int)

    init?(after transaction: Transaction, on connection: Connection, captureEnd: Timestamp) {
        let waited = captureEnd.seconds(since: transaction.endTime)
        if connection.closedBy?.side == .client, let packet = connection.closePacket, packet > transaction.packet,
            !transaction.announcesClose
        {
            self = .closed(packet: packet)
        } else if waited >= ClientPatience.seconds {
            self = .seconds(Int(waited))
        } else {
            return nil
        }
    }
}

extension Connection {
    /// What is missing around a transaction of this connection, in one phrase; `nil` where nothing is.
    func lack(around transaction: Transaction) -> String? {
        if isOneSided { return "only one side of the connection was captured" }
        if !transaction.isComplete { return "the head of a message is not whole" }
        if !gaps.isEmpty { return "the capture lacks bytes of the connection" }
        if truncatedPackets > 0 { return "packets were cut by the snapshot length" }
        if !transaction.http.isPairingCertain { return "the request of the response is not sure" }
        return nil
    }
}
