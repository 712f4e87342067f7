public import AuthScanBytes

/// Everything that the packet stages found, handed on as one value.
public struct WireCapture: Sendable {
    /// The input files in the order in which they were read.
    public var files: [CaptureFileSummary] = []

    /// Where the packets lie in the files, where there are several.
    public internal(set) var places = PacketPlaces()

    /// How many packets there were in all files.
    public var packets = 0

    /// Which of them were analysed; `nil` where all were.
    public var selection: SelectionSummary?

    /// The earliest time stamp, in the range of time that was asked for; `nil` where there is no packet.
    public var firstTime: Timestamp?

    /// The latest time stamp, in the range of time that was asked for; `nil` where there is no packet.
    public var lastTime: Timestamp?

    /// What was damaged or not readable, in file order.
    public var problems: [CaptureProblem] = []

    /// How many packets were cut by the capture's snapshot length.
    public var truncatedPackets = 0

    /// The TCP connections in the order in which they begin; number *n* is at index *n* − 1.
    public var connections: [Connection] = []

    /// The TLS connections in the order of the TCP connections that carry them.
    public var tlsConnections: [TLSConnection] = []

    /// The HTTP/2 connections in the order of the TCP connections that carry them.
    public var http2Connections: [HTTP2Connection] = []

    /// The QUIC connections, which are not read, in the order in which they begin.
    public var quicConnections: [QUICConnection] = []

    /// The HTTP transactions in the order in which they begin; number *n* is at index *n* − 1.
    public internal(set) var transactions = CapturedTransactions()

    /// The messages to and from key distribution centers, in packet order.
    public var kdcRecords: [KDCRecord] = []

    /// How many transactions were seen beyond the limit and not kept.
    public var transactionsLeftOut = 0

    /// The processes that the capture names.
    public var processes: [ProcessInformation] = []

    /// The secrets that the capture brings along for its own decryption; they are never reported.
    public var embeddedSecrets = EmbeddedSecrets()

    /// The limits that were met.
    public var limitsExceeded: [LimitExceeded] = []

    /// An empty capture.
    public init() {}

    /// Forgets the transactions, which take most of the room, once another stage has them.
    public mutating func forgetTransactions() { transactions = CapturedTransactions() }

    /// The process that a connection belongs to on the machine that captured; `nil` where the capture names none.
    public func process(of connection: Connection) -> ProcessInformation? { process(connection.processNumber) }

    /// The process with a number, counted from 1; `nil` for 0.
    public func process(_ number: UInt32) -> ProcessInformation? {
        let index = Int(number) - 1
        return processes.indices.contains(index) ? processes[index] : nil
    }
}
