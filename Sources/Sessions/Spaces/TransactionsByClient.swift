import AuthScanBytes
public import AuthScanWire

/// The transactions of a capture by client, each client's in packet order.
///
/// The clients share one list of places, and a client is found by its address: a capture may hold hundreds of thousands of
/// clients.
public struct TransactionsByClient: Sendable {
    /// In ascending order.
    private let clients: [IPAddress]
    /// Where each client's transactions start in the order, and where the last one's end.
    private let starts: [Int32]
    private let order: ClientTransactions

    /// No transactions.
    init() { self.init([], ClientOrder([], of: [], [])) }

    /// Takes the order in which all transactions of a capture go by client.
    init(_ transactions: [Transaction], _ order: ClientOrder) {
        clients = order.clients
        starts = order.starts
        self.order = ClientTransactions(transactions, order.places)
    }

    /// The transactions of a client; `nil` where it has none.
    public subscript(client: IPAddress) -> ClientTransactions? {
        let place = clients.firstIndexInOrder { !$0.precedes(client) }
        guard place < clients.count, clients[place] == client else { return nil }
        return self[place].transactions
    }
}

extension TransactionsByClient: RandomAccessCollection {
    /// The index of the first client.
    public var startIndex: Int { 0 }

    /// How many clients there are.
    public var endIndex: Int { clients.count }

    /// A client, and its transactions.
    public subscript(position: Int) -> (client: IPAddress, transactions: ClientTransactions) {
        (clients[position], order[Int(starts[position])..<Int(starts[position + 1])])
    }
}

/// Some of the transactions of one client, in packet order.
public struct ClientTransactions: RandomAccessCollection, Sendable {
    private final class Content: Sendable {
        let transactions: [Transaction]
        let places: [Int32]

        init(_ transactions: [Transaction], _ places: [Int32]) {
            self.transactions = transactions
            self.places = places
        }
    }

    private let content: Content

    /// The index of the first transaction.
    public let startIndex: Int

    /// The index behind the last transaction.
    public let endIndex: Int

    /// No transactions.
    public init() { self.init([], []) }

    fileprivate init(_ transactions: [Transaction], _ places: [Int32]) {
        content = Content(transactions, places)
        startIndex = 0
        endIndex = places.count
    }

    private init(_ content: Content, _ range: Range<Int>) {
        self.content = content
        startIndex = range.lowerBound
        endIndex = range.upperBound
    }

    /// A transaction.
    public subscript(position: Int) -> Transaction {
        precondition(startIndex <= position && position < endIndex)
        return content.transactions[Int(content.places[position])]
    }

    /// Those in a range.
    public subscript(range: Range<Int>) -> ClientTransactions {
        precondition(startIndex <= range.lowerBound && range.upperBound <= endIndex)
        return ClientTransactions(content, range)
    }
}

/// In which order transactions go by client.
struct ClientOrder: Sendable {
    /// Those that have any, in ascending order.
    let clients: [IPAddress]
    /// Where each client's places start, and where the last one's end.
    private(set) var starts: [Int32] = [0]
    /// The indices of the transactions, client by client, each client's in packet order.
    private(set) var places: [Int32]

    /// Sorts the transactions with these indices; `clientNumbers` has the index in `addresses` of every transaction's client.
    init(_ indices: [Int32], of clientNumbers: [Int32], _ addresses: [IPAddress]) {
        var counts = [Int32](repeating: 0, count: addresses.count)
        for index in indices { counts[Int(clientNumbers[Int(index)])] += 1 }
        let order = addresses.indices.filter { counts[$0] > 0 }.sorted { addresses[$0].precedes(addresses[$1]) }
        starts.reserveCapacity(order.count + 1)
        // From here on a client's count is the place of its next transaction.
        for client in order {
            let start = starts[starts.count - 1]
            starts.append(start + counts[client])
            counts[client] = start
        }
        places = indices
        for index in indices {
            let client = Int(clientNumbers[Int(index)])
            places[Int(counts[client])] = index
            counts[client] += 1
        }
        clients = order.map { addresses[$0] }
    }
}

extension IPAddress {
    /// The order in which clients are looked up.
    fileprivate func precedes(_ other: IPAddress) -> Bool {
        if low != other.low { return low < other.low }
        if high != other.high { return high < other.high }
        return isIPv4 && !other.isIPv4
    }
}
