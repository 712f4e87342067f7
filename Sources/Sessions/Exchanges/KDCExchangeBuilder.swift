import AuthScanBytes
import AuthScanSchemes
import AuthScanWire

/// An exchange with a key distribution center that is being put together.
struct KDCExchangeDraft {
    let client: Endpoint
    let server: Endpoint
    let connection: Int?
    let isProxied: Bool
    var request: KDCExchange.Leg?
    var response: KDCExchange.Leg?

    init(_ record: KDCRecord) {
        client = record.client
        server = record.server
        connection = record.connection
        isProxied = record.isProxied
    }
}

/// Pairs the messages of clients and key distribution centers.
///
/// An answer belongs to the oldest open question between the same two ends whose kind it can answer. A question or an answer
/// that is sent again, byte for byte, is the same one.
struct KDCExchangeBuilder {
    private struct Ends: Hashable {
        let client: Endpoint
        let server: Endpoint
        let connection: Int?
    }

    /// What is known between two ends.
    private struct State {
        /// The indices of the questions without an answer, oldest first.
        var open: [Int] = []
        var lastRequest: Secret<[UInt8]>?
        var lastResponse: Secret<[UInt8]>?
    }

    private var drafts: [KDCExchangeDraft] = []
    private var states: [Ends: State] = [:]

    /// How many questions between two ends may be open.
    private static let openLimit = 64

    /// The exchanges of a capture, in the order in which they begin.
    static func build(from records: [KDCRecord]) -> [KDCExchange] {
        var builder = KDCExchangeBuilder()
        for record in records { builder.add(record) }
        return builder.drafts.enumerated().map { KDCExchange($0.element, number: $0.offset + 1) }
    }

    private mutating func add(_ record: KDCRecord) {
        let ends = Ends(client: record.client, server: record.server, connection: record.connection)
        var state = states[ends] ?? State()
        if record.isFromClient {
            if state.lastRequest != record.bytes || state.open.isEmpty { open(record, &state) }
        } else if state.lastResponse != record.bytes || !state.open.isEmpty {
            close(record, &state)
        }
        states[ends] = state
    }

    private mutating func open(_ record: KDCRecord, _ state: inout State) {
        state.lastRequest = record.bytes
        if state.open.count == Self.openLimit { state.open.removeFirst() }
        state.open.append(drafts.count)
        var draft = KDCExchangeDraft(record)
        draft.request = KDCExchange.Leg(record)
        drafts.append(draft)
    }

    private mutating func close(_ record: KDCRecord, _ state: inout State) {
        state.lastResponse = record.bytes
        let leg = KDCExchange.Leg(record)
        if let place = state.open.firstIndex(where: { leg.canAnswer(drafts[$0].request) }) {
            drafts[state.open.remove(at: place)].response = leg
            return
        }
        var draft = KDCExchangeDraft(record)
        draft.response = leg
        drafts.append(draft)
    }
}

extension KDCExchange.Leg {
    fileprivate init(_ record: KDCRecord) {
        packet = record.packet
        time = record.time
        missingBytes = record.missingBytes
        let result = record.bytes.withRevealed { bytes in
            Result { () throws(DecodeError) -> (KDCMessage, KDCProxyMessage?) in
                guard record.isProxied else { return (try KDCMessage(decoding: bytes[...]), nil) }
                let proxied = try KDCProxyMessage(decoding: bytes[...])
                return (proxied.message, proxied)
            }
        }
        switch result {
        case .success((let message, let proxied)): (self.message, proxyMessage, problem) = (message, proxied, nil)
        case .failure(let error): (message, proxyMessage, problem) = (nil, nil, error)
        }
    }

    /// Whether this is an answer of the kind that a question asks for; what cannot be read may be any.
    fileprivate func canAnswer(_ request: KDCExchange.Leg?) -> Bool {
        guard let asked = request?.message?.request, let reply = message?.reply else { return true }
        return reply.msgType == asked.msgType + 1
    }
}
