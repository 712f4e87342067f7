/// The two ends of a connection: the one that opened it, and the other.
public enum Side: String, Sendable {
    /// The end that sent the first SYN, or that behaves as a client where no SYN was captured.
    case client
    /// The end that was connected to.
    case server

    /// The other end.
    public var other: Side { self == .client ? .server : .client }
}

/// Bytes that one side sent and the capture lacks.
public struct Gap: Hashable, Sendable {
    /// Who sent the missing bytes.
    public let from: Side

    /// How many bytes are missing.
    public let bytes: Int

    /// The packet that showed the hole: the first one of that side behind it.
    public let beforePacket: Int

    /// Creates a gap.
    public init(from: Side, bytes: Int, beforePacket: Int) {
        self.from = from
        self.bytes = bytes
        self.beforePacket = beforePacket
    }
}

/// What a connection carried, as recognised by its content; the raw value is the `protocol` of the JSON report.
public enum ApplicationProtocol: String, Sendable {
    /// HTTP/1.1.
    case http11 = "HTTP/1.1"
    /// HTTP/1.0.
    case http10 = "HTTP/1.0"
    /// HTTP/2, recognised by its connection preface.
    case http2 = "HTTP/2"
    /// TLS records, not decrypted.
    case tls = "TLS"
    /// HTTP that switched to the WebSocket protocol.
    case webSocket = "WebSocket"
    /// Anything else, or no payload at all.
    case other
}

/// Who ended a connection, and how; the raw value is the `closedBy` of the JSON report.
public enum Closure: String, Sendable {
    /// The client sent the first FIN.
    case client
    /// The server sent the first FIN.
    case server
    /// The client sent a RST.
    case clientReset
    /// The server sent a RST.
    case serverReset

    /// The side that ended it.
    public var side: Side { self == .client || self == .clientReset ? .client : .server }
}

/// One TCP connection, summarised.
public struct Connection: Sendable {
    /// Its number, counted from 1 in the order in which connections begin.
    public let number: Int

    /// The end that opened it.
    public let client: Endpoint

    /// The other end.
    public let server: Endpoint

    /// What it carried; inside a CONNECT tunnel, what the tunnel carried last.
    public var applicationProtocol: ApplicationProtocol

    /// Whether any part of it was TLS that was not decrypted, also inside a CONNECT tunnel.
    public var isEncrypted: Bool

    /// Its first packet, counted from 1.
    public var firstPacket: Int

    /// Its last packet, counted from 1.
    public var lastPacket: Int

    /// When its first packet was captured.
    public var firstTime: Timestamp

    /// When its last packet was captured.
    public var lastTime: Timestamp

    /// Whether its SYN was captured, so that nothing can have come before.
    public var startSeen: Bool

    /// Whether the server accepted it: a SYN-ACK or any payload from the server was captured.
    public var isAccepted: Bool

    /// Who ended it first; `nil` where the capture shows no end.
    public var closedBy: Closure?

    /// The packet with the first FIN or RST; `nil` where the capture shows no end.
    public var closePacket: Int?

    /// When that packet was captured.
    public var closeTime: Timestamp?

    /// How many bytes of payload the client's captured packets brought, retransmissions not counted.
    public var bytesFromClient: Int

    /// The same for the server.
    public var bytesFromServer: Int

    /// Whether packets of one side alone were captured, although the connection carried payload.
    public var isOneSided: Bool

    /// Holes, in packet order.
    public var gaps: [Gap]

    /// How many of its packets were cut by the snapshot length.
    public var truncatedPackets: Int

    /// Whether nothing of what was sent after its start is missing from the capture.
    public var isComplete: Bool { startSeen && gaps.isEmpty && truncatedPackets == 0 && !isOneSided }
}
