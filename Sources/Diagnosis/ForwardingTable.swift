import AuthScanSessions
import AuthScanWire

/// Finds what a proxy made of a refused request, where a capture holds both sides of the proxy.
///
/// The copy is a refused request of another host for the same resource, sent and answered while the first one waits for
/// its own answer.
struct ForwardingTable: Sendable {
    private typealias Candidate = (client: IPAddress, transaction: Transaction)

    /// How many transactions before and behind a request, of those for the same resource, its copy is looked for: a
    /// capture of several interfaces may hold the copy's packets on either side.
    private static let distance = 32

    private let candidates: [String: [Candidate]]

    /// Gathers the refused requests of all clients.
    init(_ refusedByClient: [IPAddress: [Transaction]]) {
        // Where all refused requests come from one host there is no other side.
        guard refusedByClient.count > 1 else {
            candidates = [:]
            return
        }
        var candidates: [String: [Candidate]] = [:]
        for (client, transactions) in refusedByClient {
            for transaction in transactions {
                candidates[ForwardingTable.key(of: transaction), default: []].append((client, transaction))
            }
        }
        self.candidates = candidates.mapValues { $0.sorted { $0.transaction.number < $1.transaction.number } }
    }

    /// The copy of a client's request; `nil` where the capture holds none.
    func copy(of transaction: Transaction, from client: IPAddress) -> Transaction? {
        guard transaction.response != nil, let bucket = candidates[ForwardingTable.key(of: transaction)] else {
            return nil
        }
        let place = bucket.firstIndexInOrder { $0.transaction.number >= transaction.number }
        let range = max(0, place - ForwardingTable.distance)..<min(bucket.count, place + ForwardingTable.distance)
        return bucket[range].first {
            $0.client != client && $0.transaction.startTime >= transaction.startTime
                && $0.transaction.endTime <= transaction.endTime
        }?.transaction
    }

    /// Method and last part of the path: a proxy may put another path before it.
    private static func key(of transaction: Transaction) -> String {
        let name = transaction.path.split(separator: "/").last ?? ""
        return "\(transaction.request?.method ?? "") \(name)"
    }
}
