/// One request and its final response; either is `nil` where the capture lacks it.
public struct HTTPTransaction: Sendable {
    private let stored: StoredTransaction
    private let rare: StoredTransaction.Rare?

    /// Its number, counted from 1 in packet order over the capture.
    public let number: Int

    /// The request; `nil` where only the response was captured.
    public let request: HTTPRequest?

    /// The final response; `nil` where the capture lacks it, or it never came.
    public let response: HTTPResponse?

    /// A transaction as it was kept, with what lies elsewhere.
    init(_ stored: StoredTransaction, _ rare: StoredTransaction.Rare?, number: Int, in buffers: [[UInt8]]) {
        self.stored = stored
        self.rare = rare
        self.number = number
        request = stored.request.map { HTTPRequest($0, in: buffers) }
        response = stored.response.map { HTTPResponse($0, in: buffers) }
    }

    /// The number of the connection that carried it.
    public var connection: Int { stored.connection }

    /// The identifier of its HTTP/2 stream; `nil` in HTTP/1.
    public var stream: Int? { stored.stream }

    /// Whether it travelled inside TLS that was decrypted.
    public var isSecure: Bool { stored.isSecure }

    /// Whether the pairing of request and response is sure: no gap lies between their connection's start and them,
    /// or the numbers of bytes prove that they belong together.
    public var isPairingCertain: Bool { stored.isPairingCertain }

    /// The authority of the CONNECT tunnel that it went through (`host:port`); `nil` outside a tunnel.
    public var tunnel: String? { rare?.tunnel }

    /// The status codes of interim responses (1xx other than 101), in order.
    public var interimStatuses: [Int] { rare?.interimStatuses ?? [] }

    /// The packet that the transaction begins with: its request's first, or its response's where that is missing.
    public var firstPacket: Int { stored.firstPacket }
}
