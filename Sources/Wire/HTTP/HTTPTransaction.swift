/// Where a message lies in the capture.
public struct MessageEvidence: Hashable, Sendable {
    /// The packet that brought the message's first byte, counted from 1.
    public var firstPacket: Int

    /// The packet that completed the head (start line and fields); the message's own packet in reports.
    public var headPacket: Int

    /// The packet that brought the last byte seen of the message, its body included.
    public var lastPacket: Int

    /// When `firstPacket` was captured.
    public var firstTime: Timestamp

    /// When `headPacket` was captured.
    public var headTime: Timestamp

    /// When `lastPacket` was captured.
    public var lastTime: Timestamp

    /// Creates a place in a capture.
    public init(
        firstPacket: Int,
        headPacket: Int,
        lastPacket: Int,
        firstTime: Timestamp,
        headTime: Timestamp,
        lastTime: Timestamp
    ) {
        self.firstPacket = firstPacket
        self.headPacket = headPacket
        self.lastPacket = lastPacket
        self.firstTime = firstTime
        self.headTime = headTime
        self.lastTime = lastTime
    }
}

/// One HTTP request whose head was captured.
public struct HTTPRequest: Sendable {
    /// Where it lies in the capture.
    public var evidence: MessageEvidence

    /// The method, as on the wire.
    public var method: String

    /// The request target, as on the wire, in any of its four forms.
    ///
    /// - Source: RFC 9112 §3.2.
    public var target: String

    /// The version as on the wire: `HTTP/1.1` or `HTTP/1.0`.
    public var version: String

    /// The fields that the analysis looks at.
    public var fields: FieldLines

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public var isHeadComplete: Bool

    /// Whether the body was captured whole, or its end could be found.
    public var isBodyComplete: Bool

    /// How many bytes of body were seen, transfer coding included.
    public var bodyBytes: Int

    /// Creates a request.
    public init(
        evidence: MessageEvidence,
        method: String,
        target: String,
        version: String,
        fields: FieldLines,
        isHeadComplete: Bool,
        isBodyComplete: Bool,
        bodyBytes: Int
    ) {
        self.evidence = evidence
        self.method = method
        self.target = target
        self.version = version
        self.fields = fields
        self.isHeadComplete = isHeadComplete
        self.isBodyComplete = isBodyComplete
        self.bodyBytes = bodyBytes
    }
}

/// One final HTTP response whose head was captured.
public struct HTTPResponse: Sendable {
    /// Where it lies in the capture.
    public var evidence: MessageEvidence

    /// The status code, 200 to 999 (or 101, which is final as well).
    public var status: Int

    /// The version as on the wire: `HTTP/1.1` or `HTTP/1.0`.
    public var version: String

    /// The fields that the analysis looks at.
    public var fields: FieldLines

    /// Whether the head was captured whole: no gap, no cut packet, no limit inside it.
    public var isHeadComplete: Bool

    /// Whether the body was captured whole, or its end could be found.
    public var isBodyComplete: Bool

    /// How many bytes of body were seen, transfer coding included.
    public var bodyBytes: Int

    /// Creates a response.
    public init(
        evidence: MessageEvidence,
        status: Int,
        version: String,
        fields: FieldLines,
        isHeadComplete: Bool,
        isBodyComplete: Bool,
        bodyBytes: Int
    ) {
        self.evidence = evidence
        self.status = status
        self.version = version
        self.fields = fields
        self.isHeadComplete = isHeadComplete
        self.isBodyComplete = isBodyComplete
        self.bodyBytes = bodyBytes
    }
}

/// One request and its final response; either is `nil` where the capture lacks it.
public struct HTTPTransaction: Sendable {
    /// Its number, counted from 1 in packet order over the capture.
    public var number: Int

    /// The number of the connection that carried it.
    public var connection: Int

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
        tunnel: String? = nil,
        isSecure: Bool = false,
        request: HTTPRequest?,
        response: HTTPResponse?,
        interimStatuses: [Int] = [],
        isPairingCertain: Bool = true
    ) {
        self.number = number
        self.connection = connection
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
