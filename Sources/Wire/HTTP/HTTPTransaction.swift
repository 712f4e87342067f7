/// One request and its final response; either is `nil` where the capture lacks it.
public struct HTTPTransaction: Sendable {
    private var storedNumber: UInt32
    private var storedConnection: UInt32

    /// Its number, counted from 1 in packet order over the capture.
    public var number: Int {
        get { Int(storedNumber) }
        set { storedNumber = UInt32(clamping: newValue) }
    }

    /// The number of the connection that carried it.
    public var connection: Int {
        get { Int(storedConnection) }
        set { storedConnection = UInt32(clamping: newValue) }
    }

    private var storedStream: UInt32

    /// The identifier of its HTTP/2 stream; `nil` in HTTP/1.
    public var stream: Int? {
        get { storedStream == 0 ? nil : Int(storedStream) }
        set { storedStream = UInt32(clamping: newValue ?? 0) }
    }

    /// The authority of the CONNECT tunnel that it went through (`host:port`); `nil` outside a tunnel.
    public var tunnel: String?

    /// Whether it travelled inside TLS that was decrypted.
    public var isSecure: Bool

    /// The request; `nil` where only the response was captured.
    public var request: HTTPRequest?

    /// The final response; `nil` where the capture lacks it, or it never came.
    public var response: HTTPResponse?

    /// The status codes of interim responses (1xx other than 101), in order.
    public var interimStatuses: [Int]

    /// Whether the pairing of request and response is sure: no gap lies between their connection's start and them,
    /// or the numbers of bytes prove that they belong together.
    public var isPairingCertain: Bool

    /// Creates a transaction.
    public init(
        number: Int,
        connection: Int,
        stream: Int? = nil,
        tunnel: String? = nil,
        isSecure: Bool = false,
        request: HTTPRequest?,
        response: HTTPResponse?,
        interimStatuses: [Int] = [],
        isPairingCertain: Bool = true
    ) {
        storedNumber = UInt32(clamping: number)
        storedConnection = UInt32(clamping: connection)
        storedStream = UInt32(clamping: stream ?? 0)
        self.tunnel = tunnel
        self.isSecure = isSecure
        self.request = request
        self.response = response
        self.interimStatuses = interimStatuses
        self.isPairingCertain = isPairingCertain
    }

    /// The packet that the transaction begins with: its request's first, or its response's where that is missing.
    public var firstPacket: Int { request?.evidence.firstPacket ?? response?.evidence.firstPacket ?? 0 }
}
