import AuthScanBytes
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

    /// By the key of what the requests ask for: those that several hosts sent, in packet order.
    ///
    /// Nearly always there are none.
    private let candidates: [Int: [Candidate]]

    /// A refused request, by the key of what it asks for.
    private struct Keyed {
        let key: Int
        let place: Int
    }

    /// Gathers the refused requests of all clients.
    init(_ refusedByClient: TransactionsByClient) {
        // Where all refused requests come from one host there is no other side.
        guard refusedByClient.count > 1 else {
            candidates = [:]
            return
        }
        var all: [Candidate] = []
        var keys: [Keyed] = []
        for (client, transactions) in refusedByClient {
            for transaction in transactions {
                keys.append(Keyed(key: Request(transaction).key, place: all.count))
                all.append((client, transaction))
            }
        }
        // Sorted they lie in buckets without a list for each, of which nearly none would be kept.
        keys.sort { ($0.key, $0.place) < ($1.key, $1.place) }
        candidates = ForwardingTable.buckets(of: keys, all)
    }

    /// The requests with the same key, where they come from several hosts; `keys` are in order.
    private static func buckets(of keys: [Keyed], _ all: [Candidate]) -> [Int: [Candidate]] {
        var buckets: [Int: [Candidate]] = [:]
        var start = 0
        while start < keys.count {
            let key = keys[start].key
            let end = keys[start...].firstIndex { $0.key != key } ?? keys.count
            let first = all[keys[start].place].client
            if keys[start..<end].contains(where: { all[$0.place].client != first }) {
                buckets[key] = keys[start..<end].map { all[$0.place] }.sorted {
                    $0.transaction.number < $1.transaction.number
                }
            }
            start = end
        }
        return buckets
    }

    /// The copy of a client's request; `nil` where the capture holds none.
    func copy(of transaction: Transaction, from client: IPAddress) -> Transaction? {
        guard transaction.status != nil, !candidates.isEmpty else { return nil }
        let request = Request(transaction)
        guard let bucket = candidates[request.key] else { return nil }
        let place = bucket.firstIndexInOrder { $0.transaction.number >= transaction.number }
        let range = max(0, place - ForwardingTable.distance)..<min(bucket.count, place + ForwardingTable.distance)
        let (start, end) = (transaction.startTime, transaction.endTime)
        return bucket[range].first {
            $0.client != client && $0.transaction.startTime >= start && $0.transaction.endTime <= end
                && Request($0.transaction) == request
        }?.transaction
    }

    /// Method and last part of the path: a proxy may put another path before it.
    private struct Request: Equatable {
        let method: String
        let name: ArraySlice<UInt8>

        init(_ transaction: Transaction) {
            method = transaction.method ?? ""
            let slash = UInt8(ascii: "/")
            var path = transaction.pathBytes
            while path.last == slash { path.removeLast() }
            name = path[(path.lastIndex(of: slash).map { $0 + 1 } ?? path.startIndex)...]
        }

        /// A hash of both (FNV-1a): what it collides with lies in the same bucket, of which little is looked at.
        var key: Int {
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            for byte in name { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            for byte in method.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
            return Int(truncatingIfNeeded: hash)
        }
    }
}
