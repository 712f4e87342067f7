/// What is kept of a transaction, in plain memory: it is put down when a message begins, and noted in until all is read.
///
/// What few transactions have lies elsewhere, and their field lines do.
struct StoredTransaction: Sendable {
    /// What few transactions have.
    struct Rare: Sendable {
        /// The authority of the CONNECT tunnel that it went through; `nil` outside a tunnel.
        var tunnel: String?
        var interimStatuses: [Int] = []
    }

    private let storedConnection: UInt32

    /// The number of the connection that carried it.
    var connection: Int { Int(storedConnection) }

    private let storedStream: UInt32

    /// The identifier of its HTTP/2 stream; `nil` in HTTP/1.
    var stream: Int? { storedStream == 0 ? nil : Int(storedStream) }

    /// The place of what few have; −1 where it has nothing of it.
    var rare: Int32 = -1

    var isSecure = false

    var isPairingCertain: Bool

    var request: StoredRequest?

    var response: StoredResponse?

    init(
        connection: Int,
        stream: Int? = nil,
        request: StoredRequest?,
        response: StoredResponse?,
        isPairingCertain: Bool = true
    ) {
        storedConnection = UInt32(clamping: connection)
        storedStream = UInt32(clamping: stream ?? 0)
        self.request = request
        self.response = response
        self.isPairingCertain = isPairingCertain
    }

    /// Notes bytes of a body, and the packet that brought them.
    @inline(__always)
    mutating func noteBody(_ count: Int, _ packet: Int, _ time: Timestamp, ofResponse isResponse: Bool) {
        if isResponse {
            response?.evidence.noteLast(packet, time)
            response?.bodyBytes += count
        } else {
            request?.evidence.noteLast(packet, time)
            request?.bodyBytes += count
        }
    }

    /// The packet that it begins with: its request's first, or its response's where that is missing.
    var firstPacket: Int { request?.evidence.firstPacket ?? response?.evidence.firstPacket ?? 0 }
}
