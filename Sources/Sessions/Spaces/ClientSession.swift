public import AuthScanWire

/// One client in one protection space, from the first transaction to the last.
public struct ClientSession: Sendable {
    /// One transaction of the session, and what authenticates it.
    public struct Entry: Sendable {
        /// The transaction.
        public let transaction: Transaction

        /// The index in `exchanges` of the exchange whose credentials the request brought; `nil` for a bare request.
        public internal(set) var exchange: Int?

        /// The index in `exchanges` of the accepted exchange that authenticated the connection before this bare request.
        public internal(set) var connectionAuthenticatedBy: Int?
    }

    /// Its number, counted from 1 in the order in which sessions begin.
    public internal(set) var number = 0

    /// The client's address.
    public let client: IPAddress

    /// The protection space.
    public internal(set) var space: ProtectionSpace

    /// The transactions in packet order.
    public internal(set) var entries: [Entry]

    /// The tries to authenticate, in the order in which they begin.
    public internal(set) var exchanges: [AuthenticationExchange]

    /// Whether the server or a proxy asks for the credentials.
    public var target: AuthenticationTarget { space.isProxy ? .proxy : .origin }
}

/// Everything that the transactions say about authentication.
public struct Sessions: Sendable {
    /// The protection spaces; number *n* is at index *n* − 1.
    public internal(set) var spaces: [ProtectionSpace] = []

    /// The exchanges of all sessions; number *n* is at index *n* − 1.
    public internal(set) var exchanges: [AuthenticationExchange] = []

    /// The sessions in the order in which they begin.
    public internal(set) var sessions: [ClientSession] = []

    /// Every transaction of the capture in packet order, by client, also those that belong to no session.
    public internal(set) var transactionsByClient: [IPAddress: [Transaction]] = [:]
}
