import AuthScanBytes
public import AuthScanWire

/// The transactions of a capture by client, each client's in packet order.
///
/// All of them lie in one array, and a client is found by its address: a capture may hold hundreds of thousands of clients.
public struct TransactionsByClient: Sendable {
    /// In ascending order.
    private let clients: [IPAddress]
    /// Where each client's transactions start in `transactions`, and where the last one's end.
    private let starts: [Int32]
    private let transactions: [Transaction]

    /// No transactions.
    init() {
        clients = []
        starts = [0]
        transactions = []
    }

    /// Sorts the transactions with these indices; `clientNumbers` has the index in `addresses` of every transaction's client.
    init(_ all: [Transaction], _ indices: [Int32], _ clientNumbers: [Int32], _ addresses: [IPAddress]) {
        var counts = [Int32](repeating: 0, count: addresses.count)
        for index in indices { counts[Int(clientNumbers[Int(index)])] += 1 }
        let order = addresses.indices.filter { counts[$0] > 0 }.sorted { addresses[$0].precedes(addresses[$1]) }
        var starts: [Int32] = [0]
        starts.reserveCapacity(order.count + 1)
        // From here on a client's count is the place of its next transaction.
        for client in order {
            let start = starts[starts.count - 1]
            starts.append(start + counts[client])
            counts[client] = start
        }
        var sorted = indices
        for index in indices {
            let client = Int(clientNumbers[Int(index)])
            sorted[Int(counts[client])] = index
            counts[client] += 1
        }
        clients = order.map { addresses[$0] }
        self.starts = starts
        transactions = sorted.map { all[Int($0)] }
    }

    /// The transactions of a client; `nil` where it has none.
    public subscript(client: IPAddress) -> ArraySlice<Transaction>? {
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
    public subscript(position: Int) -> (client: IPAddress, transactions: ArraySlice<Transaction>) {
        (clients[position], transactions[Int(starts[position])..<Int(starts[position + 1])])
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
