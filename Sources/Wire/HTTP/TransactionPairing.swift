/// A request that waits for its response.
struct WaitingRequest {
    /// What a response needs to know of its request to find its own end.
    enum Method: UInt8 {
        case other
        case head
        case connect

        init(_ method: ShortName) {
            self = method == .head ? .head : method == .connect ? .connect : .other
        }
    }

    /// The transaction's index, shifted by two bits, and the method: a million of these may wait.
    private let transactionAndMethod: Int32
    /// The sequence number behind its head.
    let end: SequenceNumber

    /// No request.
    init() { self.init(transaction: -1, method: .other, end: SequenceNumber()) }

    init(transaction: Int32, method: Method, end: SequenceNumber) {
        transactionAndMethod = transaction << 2 | Int32(method.rawValue)
        self.end = end
    }

    /// The index of its transaction; −1 where it was beyond the limit.
    var transaction: Int32 { transactionAndMethod >> 2 }

    var method: Method { Method(rawValue: UInt8(transactionAndMethod & 3)) ?? .other }
}

/// The requests that wait behind others, of all connections: rows linked through one array, so that a connection needs no array
/// of its own.
struct WaitingRequests {
    private var rows: [(request: WaitingRequest, following: Int32)] = []
    private var free: Int32 = -1

    fileprivate subscript(index: Int32) -> WaitingRequest { rows[Int(index)].request }

    /// Adds a request behind the one in a row, −1 where it is the first of its connection; returns its row.
    fileprivate mutating func add(_ request: WaitingRequest, behind last: Int32) -> Int32 {
        var index = free
        if index >= 0 {
            free = rows[Int(index)].following
            rows[Int(index)] = (request, -1)
        } else {
            index = Int32(rows.count)
            rows.append((request, -1))
        }
        if last >= 0 { rows[Int(last)].following = index }
        return index
    }

    /// Makes a row free; returns the one behind it, −1 where there is none.
    @discardableResult
    fileprivate mutating func release(_ index: Int32) -> Int32 {
        let following = rows[Int(index)].following
        rows[Int(index)].following = free
        free = index
        return following
    }
}

/// Pairs the requests of one connection with its responses, in order, also where the capture lacks some of them.
///
/// - Responses come in the order of the requests (RFC 9112 §9.3.2).
/// - A gap at a message boundary of the server's direction swallowed a response: the request that was next is given up
///   (`skip`). Should no other request turn out to wait, it is taken back.
/// - A response whose acknowledgement number does not cover a request cannot answer it: where client bytes are missing, it
///   answers one of those.
/// - A response without a request may have been captured before it: a request that its acknowledgement number covers, and
///   that comes before anything else, is its own (`adopt`).
struct TransactionPairing {
    /// The request that is next, where any waits: nearly always it is the only one, and lies at hand here.
    private var first = WaitingRequest()
    /// The ends of the queue behind it in `WaitingRequests`; −1 where it is empty.
    private var second: Int32 = -1
    private var last: Int32 = -1
    /// The row of the request that was given up last; −1 where none was.
    private var skipped: Int32 = -1
    /// The transaction of a response that no request waited for; −1 where there is none.
    private var orphan: Int32 = -1
    private var orphanAcknowledgement = SequenceNumber()
    private var waiting: UInt16 = 0
    /// Whether something was lost since the order was last proven.
    private(set) var isUncertain = false
    /// Whether requests may be missing from the capture.
    var lacksRequests = false

    /// A response acknowledges at most this much behind its request's head: a window.
    private static let adoptionWindow = 1 << 20

    /// The most requests that can be counted.
    static let largestCount = Int(UInt16.max)

    /// How many requests wait.
    var count: Int { Int(waiting) }

    /// The request whose response is next.
    var next: WaitingRequest? { waiting > 0 ? first : nil }

    mutating func add(_ request: WaitingRequest, in requests: inout WaitingRequests) {
        if waiting == 0 {
            first = request
        } else {
            last = requests.add(request, behind: last)
            if second < 0 { second = last }
        }
        waiting += 1
        orphan = -1
    }

    /// Takes the request that is next; there must be one.
    private mutating func removeFirst(in requests: inout WaitingRequests) -> WaitingRequest {
        let request = first
        waiting -= 1
        if second >= 0 {
            first = requests[second]
            second = requests.release(second)
            if second < 0 { last = -1 }
        }
        return request
    }

    /// Gives up the response that is next: it lies in a gap.
    mutating func skip(in requests: inout WaitingRequests) {
        isUncertain = true
        guard waiting > 0 else { return }
        forgetSkipped(in: &requests)
        skipped = requests.add(removeFirst(in: &requests), behind: -1)
    }

    private mutating func forgetSkipped(in requests: inout WaitingRequests) {
        if skipped >= 0 { requests.release(skipped) }
        skipped = -1
    }

    /// Takes the request that a response answers; `nil` where the capture lacks it.
    mutating func claim(acknowledgement: SequenceNumber, in requests: inout WaitingRequests) -> WaitingRequest? {
        guard let request = next else {
            guard skipped >= 0 else {
                isUncertain = true
                return nil
            }
            defer { forgetSkipped(in: &requests) }
            return requests[skipped]
        }
        if lacksRequests, acknowledgement.distance(from: request.end) < 0 {
            isUncertain = true
            return nil
        }
        _ = removeFirst(in: &requests)
        if isUncertain, acknowledgement.distance(from: request.end) >= 0,
            next.map({ acknowledgement.distance(from: $0.end) < 0 }) ?? (skipped < 0)
        {
            // The numbers prove it: this request had arrived when the response was sent, and the next one had not.
            isUncertain = false
        }
        forgetSkipped(in: &requests)
        return request
    }

    /// Remembers the transaction of a response that no request waited for.
    mutating func remember(orphan transaction: Int32, acknowledgement: SequenceNumber) {
        guard waiting == 0, !lacksRequests else { return }
        orphan = transaction
        orphanAcknowledgement = acknowledgement
    }

    /// The transaction of the response that was captured before a request; `nil` where there was none.
    mutating func adopt(requestEndingAt end: SequenceNumber) -> Int32? {
        guard orphan >= 0 else { return nil }
        defer { orphan = -1 }
        let covered = (0..<TransactionPairing.adoptionWindow).contains(orphanAcknowledgement.distance(from: end))
        guard covered, !lacksRequests else { return nil }
        isUncertain = false
        return orphan
    }

    /// Forgets everything, for another connection or what a tunnel carries.
    mutating func reset(in requests: inout WaitingRequests) {
        while waiting > 0 { _ = removeFirst(in: &requests) }
        forgetSkipped(in: &requests)
        self = TransactionPairing()
    }
}
