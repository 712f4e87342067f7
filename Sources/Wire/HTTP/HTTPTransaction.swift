/// One request and its final response; either is `nil` where the capture lacks it.
public struct HTTPTransaction: Sendable {
    private var storedNumber: UInt32
    private let storedConnection: UInt32

    /// Its number, counted from 1 in packet order over the capture.
    public internal(set) var number: Int {
        get { Int(storedNumber) }
        set { storedNumber = UInt32(clamping: newValue) }
    }

    /// The number of the connection that carried it.
    public var connection: Int { Int(storedConnection) }

    private let storedStream: UInt32

    /// The identifier of its HTTP/2 stream; `nil` in HTTP/1.
    public var stream: Int? { storedStream == 0 ? nil : Int(storedStream) }

    /// Whether it travelled inside TLS that was decrypted.
    public internal(set) var isSecure = false

    /// Whether the pairing of request and response is sure: no gap lies between their connection's start and them,
    /// or the numbers of bytes prove that they belong together.
    public internal(set) var isPairingCertain: Bool

    /// What few transactions have.
    private struct Rare: Sendable {
        var tunnel: String?
        var interimStatuses: [Int] = []
    }

    /// Empty for nearly every transaction, so that it costs them one pointer; never more than one element.
    private var rare: [Rare] = []

    /// The authority of the CONNECT tunnel that it went through (`host:port`); `nil` outside a tunnel.
    public var tunnel: String? { rare.first?.tunnel }

    /// Whether it went through no CONNECT tunnel.
    var isOutsideTunnels: Bool { rare.isEmpty || rare[0].tunnel == nil }

    /// The status codes of interim responses (1xx other than 101), in order.
    public var interimStatuses: [Int] { rare.first?.interimStatuses ?? [] }

    /// Notes an interim response, or one that another took the place of.
    mutating func noteInterim(_ status: Int) {
        if rare.isEmpty { rare.append(Rare()) }
        rare[0].interimStatuses.append(status)
    }

    /// The request; `nil` where only the response was captured.
    public internal(set) var request: HTTPRequest?

    /// The final response; `nil` where the capture lacks it, or it never came.
    public internal(set) var response: HTTPResponse?

    /// A transaction that has no number yet.
    init(
        connection: Int,
        stream: Int? = nil,
        tunnel: String?,
        request: HTTPRequest?,
        response: HTTPResponse?,
        isPairingCertain: Bool = true
    ) {
        storedNumber = 0
        storedConnection = UInt32(clamping: connection)
        storedStream = UInt32(clamping: stream ?? 0)
        if let tunnel { rare = [Rare(tunnel: tunnel)] }
        self.request = request
        self.response = response
        self.isPairingCertain = isPairingCertain
    }

    /// Lets the messages' field lines point to the buffers of the completed arena.
    mutating func share(_ buffers: [[UInt8]]) {
        request?.fields.share(buffers)
        response?.fields.share(buffers)
    }

    /// The packet that the transaction begins with: its request's first, or its response's where that is missing.
    public var firstPacket: Int { request?.evidence.firstPacket ?? response?.evidence.firstPacket ?? 0 }
}
