import AuthScanSchemes
public import AuthScanWire

/// One client in one protection space, from the first transaction to the last.
public final class ClientSession: Sendable {
    /// One transaction of the session, and what authenticates it.
    public struct Entry: Sendable {
        /// The transaction.
        public let transaction: Transaction

        /// What is asked of every transaction.
        public let summary: TransactionSummary

        private var storedExchange: Int32
        private var storedAuthenticator: Int32 = -1

        /// The index in `exchanges` of the exchange whose credentials the request brought; `nil` for a bare request.
        public internal(set) var exchange: Int? {
            get { storedExchange < 0 ? nil : Int(storedExchange) }
            set { storedExchange = newValue.map { Int32(clamping: $0) } ?? -1 }
        }

        /// The index in `exchanges` of the accepted exchange that authenticated the connection before this bare request.
        public internal(set) var connectionAuthenticatedBy: Int? {
            get { storedAuthenticator < 0 ? nil : Int(storedAuthenticator) }
            set { storedAuthenticator = newValue.map { Int32(clamping: $0) } ?? -1 }
        }

        init(transaction: Transaction, exchange: Int? = nil) {
            self.transaction = transaction
            summary = transaction.summary
            storedExchange = exchange.map { Int32(clamping: $0) } ?? -1
        }
    }

    /// The client's address.
    public let client: IPAddress

    /// Whether the server or a proxy asks for the credentials.
    public let target: AuthenticationTarget

    private let storedNumber: UInt32

    /// Its number, counted from 1 in the order in which sessions begin.
    public var number: Int { Int(storedNumber) }

    /// The protection space.
    public let space: ProtectionSpace

    /// The transactions in packet order.
    public let entries: [Entry]

    /// The tries to authenticate, in the order in which they begin.
    public let exchanges: [AuthenticationExchange]

    /// What they show together.
    public let tally: ExchangeTally

    /// The numbers of the connections between the two on which no application was heard: refused ones, and TLS that failed,
    /// was not decrypted but says something by itself, or met something else.
    public let bareConnections: [Int]

    /// What the client asked its key distribution centers that bears on this session, in packet order.
    public let kdcExchanges: [KDCExchange]

    init(_ draft: borrowing SessionDraft, number: Int, space: ProtectionSpace, kdcExchanges: [KDCExchange]) {
        storedNumber = UInt32(clamping: number)
        client = draft.group.client
        target = draft.target
        self.space = space
        entries = draft.entries
        bareConnections = draft.bareConnections
        exchanges = draft.exchanges
        tally = draft.tally
        self.kdcExchanges = kdcExchanges
    }

    /// A client and its key distribution centers, in what bears on no HTTP session; the space is the realm.
    init(_ group: KDCGroup, number: Int, space: Int) {
        storedNumber = UInt32(clamping: number)
        client = group.client
        target = .origin
        self.space = ProtectionSpace(
            number: space,
            origin: Origin(scheme: Origin.kerberosScheme, host: group.realm, port: 88),
            realm: group.realm,
            isProxy: false,
            schemes: [AuthenticationScheme(rawValue: "Kerberos")]
        )
        entries = []
        exchanges = []
        tally = ExchangeTally()
        bareConnections = []
        kdcExchanges = group.exchanges
    }

    /// Whether it has no transactions, and consists of what was asked of key distribution centers.
    public var isKDCTraffic: Bool { entries.isEmpty && bareConnections.isEmpty }
}

/// Everything that the transactions say about authentication.
public struct Sessions: Sendable {
    /// The protection spaces; number *n* is at index *n* − 1.
    public internal(set) var spaces: [ProtectionSpace] = []

    /// What was asked of key distribution centers, in the order in which it begins; number *n* is at index *n* − 1.
    public internal(set) var kdcExchanges: [KDCExchange] = []

    /// The exchanges of all sessions; number *n* is at index *n* − 1.
    public internal(set) var exchanges = NumberedExchanges()

    /// The sessions in the order in which they begin.
    public internal(set) var sessions: [ClientSession] = []

    /// Every transaction of the capture in packet order, also those that belong to no session; number *n* is at index *n* − 1.
    public internal(set) var transactions: [Transaction] = []

    /// How many requests the capture shows no response to.
    public internal(set) var unansweredRequests = 0

    /// How many responses the capture shows no request of.
    public internal(set) var missingRequests = 0

    /// What all sessions together show.
    public internal(set) var census = Census()

    /// The transactions by client.
    public internal(set) var transactionsByClient = TransactionsByClient()

    /// Those of them that were refused with 400, 401 or 403.
    public internal(set) var refusedByClient = TransactionsByClient()
}
