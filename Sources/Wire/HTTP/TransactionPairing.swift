/// A request that waits for its response.
struct WaitingRequest {
    /// What a response needs to know of its request to find its own end.
    enum Method: UInt8 {
        case other
        case head
        case connect

        init(_ method: String) {
            self = method == "HEAD" ? .head : method == "CONNECT" ? .connect : .other
        }

        var name: String? {
            switch self {
            case .other: nil
            case .head: "HEAD"
            case .connect: "CONNECT"
            }
        }
    }

    /// The index of its transaction; −1 where it was beyond the limit.
    var transaction: Int32
    var method: Method
    /// The sequence number behind its head.
    var end: SequenceNumber
}

/// Pairs the requests of one connection with its responses, in order, also where the capture lacks some of them.
///
/// - Responses come in the order of the requests (RFC 9112 §9.3.2).
/// - A gap at a message boundary of the server's direction swallowed a response: the request that was next is given up
///   (`skip`). Should no other request turn out to wait, it is taken back.
/// - A response whose acknowledgement number does not cover a request cannot answer it: where client bytes are missing, it
///   answers one of those.
struct TransactionPairing {
    private(set) var waiting: [WaitingRequest] = []
    /// Where the queue starts in `waiting`.
    private var first = 0
    private var skipped: WaitingRequest?
    /// A response that was captured before its request: its transaction, and how far its sender had read by then.
    private var early: (transaction: Int32, acknowledgement: SequenceNumber)?
    /// Whether something was lost since the order was last proven.
    private(set) var isUncertain = false
    /// Whether requests may be missing from the capture.
    var lacksRequests = false

    /// How many requests wait.
    var count: Int { waiting.count - first }

    /// The request whose response is next.
    var next: WaitingRequest? { first < waiting.count ? waiting[first] : nil }

    mutating func add(_ request: WaitingRequest) {
        if first > 64, first * 2 > waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        waiting.append(request)
    }

    /// Gives up the response that is next: it lies in a gap.
    mutating func skip() {
        isUncertain = true
        guard let request = next else { return }
        skipped = request
        first += 1
    }

    /// Notes a response that no captured request waits for; its request may come a few packets late.
    mutating func noteEarly(_ transaction: Int32, acknowledgement: SequenceNumber) {
        early = (transaction, acknowledgement)
    }

    /// The transaction of an early response that must belong to a request which ends at `end`.
    mutating func takeEarly(end: SequenceNumber) -> Int32? {
        guard let candidate = early else { return nil }
        early = nil
        guard candidate.transaction >= 0, candidate.acknowledgement.distance(from: end) >= 0 else { return nil }
        isUncertain = false
        return candidate.transaction
    }

    /// Takes the request that a response answers; `nil` where the capture lacks it.
    mutating func claim(acknowledgement: SequenceNumber) -> WaitingRequest? {
        guard let request = next else {
            defer { skipped = nil }
            if skipped == nil { isUncertain = true }
            return skipped
        }
        if lacksRequests, acknowledgement.distance(from: request.end) < 0 {
            isUncertain = true
            return nil
        }
        first += 1
        if isUncertain, acknowledgement.distance(from: request.end) >= 0,
            next.map({ acknowledgement.distance(from: $0.end) < 0 }) ?? (skipped == nil)
        {
            // The numbers prove it: this request had arrived when the response was sent, and the next one had not.
            isUncertain = false
        }
        skipped = nil
        return request
    }

    /// Forgets everything, for another connection or what a tunnel carries.
    mutating func reset() {
        waiting.removeAll(keepingCapacity: waiting.capacity <= 64)
        first = 0
        skipped = nil
        early = nil
        isUncertain = false
        lacksRequests = false
    }
}
