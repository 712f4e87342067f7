/// One TCP connection, summarised.
///
/// A capture may hold a million of them, so that the facts are stored packed, and by direction of the packets rather than by side:
/// which end is the client may turn out late. One direction is called *a* (that of the first packet captured), the other *b*.
public struct Connection: Sendable {
    // What each packet asks for or changes comes first, so that it lies in as few cache lines as can be.

    private var aHigh: UInt64
    private var aLow: UInt64
    private var bHigh: UInt64
    private var bLow: UInt64
    private var aPort: UInt16
    private var bPort: UInt16

    /// Where its reassembly state lies in the pools; −1 once it is closed.
    var live: Int32 = -1

    private var storedNumber: UInt32
    private var storedLastPacket: UInt32

    /// When its last packet was captured.
    public var lastTime: Timestamp

    private var bytesFromA = 0
    private var bytesFromB = 0

    private var flags: Flags

    /// What it carried; inside a CONNECT tunnel, what the tunnel carried last.
    public var applicationProtocol = ApplicationProtocol.other

    /// The number of its process in `WireCapture.processes`, counted from 1; 0 where the capture names none.
    public internal(set) var processNumber: UInt32 = 0

    private var storedFirstPacket: UInt32
    private var storedClosePacket: UInt32 = 0
    private var storedTruncatedPackets: UInt32 = 0

    /// When its first packet was captured.
    public var firstTime: Timestamp

    private var storedCloseTime = Timestamp(nanoseconds: 0)

    /// Holes, in packet order.
    public var gaps: [Gap] = []

    /// Creates a summary from its facts.
    public init(
        number: Int,
        client: Endpoint,
        server: Endpoint,
        applicationProtocol: ApplicationProtocol,
        isEncrypted: Bool,
        firstPacket: Int,
        lastPacket: Int,
        firstTime: Timestamp,
        lastTime: Timestamp,
        startSeen: Bool,
        isAccepted: Bool,
        closedBy: Closure?,
        closePacket: Int?,
        closeTime: Timestamp?,
        bytesFromClient: Int,
        bytesFromServer: Int,
        isOneSided: Bool,
        gaps: [Gap],
        truncatedPackets: Int
    ) {
        self.init(number: number, a: client, b: server, packet: firstPacket, time: firstTime)
        self.applicationProtocol = applicationProtocol
        self.isEncrypted = isEncrypted
        self.lastPacket = lastPacket
        self.lastTime = lastTime
        self.startSeen = startSeen
        self.isAccepted = isAccepted
        self.closedBy = closedBy
        self.closePacket = closePacket
        self.closeTime = closeTime
        self.bytesFromClient = bytesFromClient
        self.bytesFromServer = bytesFromServer
        self.isOneSided = isOneSided
        self.gaps = gaps
        self.truncatedPackets = truncatedPackets
    }

    /// Starts a connection with its first packet, sent by *a*, which counts as the client until more is known.
    init(number: Int, a: Endpoint, b: Endpoint, packet: Int, time: Timestamp) {
        aHigh = a.address.high
        aLow = a.address.low
        bHigh = b.address.high
        bLow = b.address.low
        aPort = a.port
        bPort = b.port
        storedNumber = UInt32(clamping: number)
        storedFirstPacket = UInt32(clamping: packet)
        storedLastPacket = storedFirstPacket
        firstTime = time
        lastTime = time
        flags = Flags()
        set(.aIsIPv4, a.address.isIPv4)
        set(.bIsIPv4, b.address.isIPv4)
    }
}

extension Connection {
    /// The truths about a connection that take one bit each.
    private struct Flags: OptionSet {
        let rawValue: UInt16
        static let aIsIPv4 = Flags(rawValue: 1)
        static let bIsIPv4 = Flags(rawValue: 2)
        static let clientIsB = Flags(rawValue: 4)
        static let isEncrypted = Flags(rawValue: 8)
        static let startSeen = Flags(rawValue: 16)
        static let isAccepted = Flags(rawValue: 32)
        static let isOneSided = Flags(rawValue: 64)
        static let isClosed = Flags(rawValue: 128)
        static let closedByB = Flags(rawValue: 256)
        static let closedByReset = Flags(rawValue: 512)
        static let hasClosePacket = Flags(rawValue: 1024)
        static let hasCloseTime = Flags(rawValue: 2048)
        static let bothSeen = Flags(rawValue: 4096)
    }

    private mutating func set(_ flag: Flags, _ isSet: Bool) {
        if isSet { flags.insert(flag) } else { flags.remove(flag) }
    }

    /// How many bytes hold what each packet asks for or changes.
    static let livelyBytes = 80

    private func endpoint(ofB isB: Bool) -> Endpoint {
        let isIPv4 = flags.contains(isB ? .bIsIPv4 : .aIsIPv4)
        let high = isB ? bHigh : aHigh
        let low = isB ? bLow : aLow
        let address = isIPv4 ? IPAddress(ipv4: UInt32(truncatingIfNeeded: low)) : IPAddress(ipv6High: high, low: low)
        return Endpoint(address: address, port: isB ? bPort : aPort)
    }

    /// Its number, counted from 1 in the order in which connections begin.
    public var number: Int { Int(storedNumber) }

    /// The end that opened it.
    public var client: Endpoint { endpoint(ofB: clientIsB) }

    /// The other end.
    public var server: Endpoint { endpoint(ofB: !clientIsB) }

    /// Whether any part of it was TLS that was not decrypted, also inside a CONNECT tunnel.
    public var isEncrypted: Bool {
        get { flags.contains(.isEncrypted) }
        set { set(.isEncrypted, newValue) }
    }

    /// Its first packet, counted from 1.
    public var firstPacket: Int {
        get { Int(storedFirstPacket) }
        set { storedFirstPacket = UInt32(clamping: newValue) }
    }

    /// Its last packet, counted from 1.
    public var lastPacket: Int {
        get { Int(storedLastPacket) }
        set { storedLastPacket = UInt32(clamping: newValue) }
    }

    /// Whether its SYN was captured, so that nothing can have come before.
    public var startSeen: Bool {
        get { flags.contains(.startSeen) }
        set { set(.startSeen, newValue) }
    }

    /// Whether the server accepted it: a SYN-ACK or any payload from the server was captured.
    public var isAccepted: Bool {
        get { flags.contains(.isAccepted) }
        set { set(.isAccepted, newValue) }
    }

    /// Who ended it first; `nil` where the capture shows no end.
    public var closedBy: Closure? {
        get {
            guard flags.contains(.isClosed) else { return nil }
            let byClient = flags.contains(.closedByB) == clientIsB
            if flags.contains(.closedByReset) { return byClient ? .clientReset : .serverReset }
            return byClient ? .client : .server
        }
        set {
            set(.isClosed, newValue != nil)
            set(.closedByB, newValue.map { ($0.side == .client) == clientIsB } ?? false)
            set(.closedByReset, newValue == .clientReset || newValue == .serverReset)
        }
    }

    /// The packet with the first FIN or RST; `nil` where the capture shows no end.
    public var closePacket: Int? {
        get { flags.contains(.hasClosePacket) ? Int(storedClosePacket) : nil }
        set {
            set(.hasClosePacket, newValue != nil)
            storedClosePacket = UInt32(clamping: newValue ?? 0)
        }
    }

    /// When that packet was captured.
    public var closeTime: Timestamp? {
        get { flags.contains(.hasCloseTime) ? storedCloseTime : nil }
        set {
            set(.hasCloseTime, newValue != nil)
            storedCloseTime = newValue ?? Timestamp(nanoseconds: 0)
        }
    }

    /// How many bytes of payload the client's captured packets brought, retransmissions not counted.
    public var bytesFromClient: Int {
        get { clientIsB ? bytesFromB : bytesFromA }
        set { if clientIsB { bytesFromB = newValue } else { bytesFromA = newValue } }
    }

    /// The same for the server.
    public var bytesFromServer: Int {
        get { clientIsB ? bytesFromA : bytesFromB }
        set { if clientIsB { bytesFromA = newValue } else { bytesFromB = newValue } }
    }

    /// Whether packets of one side alone were captured, although the connection carried payload.
    public var isOneSided: Bool {
        get { flags.contains(.isOneSided) }
        set { set(.isOneSided, newValue) }
    }

    /// How many of its packets were cut by the snapshot length.
    public var truncatedPackets: Int {
        get { Int(storedTruncatedPackets) }
        set { storedTruncatedPackets = UInt32(clamping: newValue) }
    }

    /// Whether nothing of what was sent after its start is missing from the capture.
    public var isComplete: Bool { startSeen && gaps.isEmpty && truncatedPackets == 0 && !isOneSided }
}

// MARK: - While packets come in

extension Connection {
    /// Whether *b* is the client.
    var clientIsB: Bool {
        get { flags.contains(.clientIsB) }
        set { set(.clientIsB, newValue) }
    }

    /// The side that a direction belongs to, as far as is known now.
    func side(of direction: Direction) -> Side { (direction == .fromB) == clientIsB ? .client : .server }

    /// Which way a segment goes; `nil` where it belongs to another connection.
    @inline(__always)
    func direction(of segment: TCPSegment) -> Direction? {
        if segment.sourcePort == aPort, segment.destinationPort == bPort, segment.sourceLow == aLow,
            segment.destinationLow == bLow, segment.sourceHigh == aHigh, segment.destinationHigh == bHigh,
            segment.isIPv4 == flags.contains(.aIsIPv4)
        {
            return .fromA
        }
        if segment.sourcePort == bPort, segment.destinationPort == aPort, segment.sourceLow == bLow,
            segment.destinationLow == aLow, segment.sourceHigh == bHigh, segment.destinationHigh == aHigh,
            segment.isIPv4 == flags.contains(.aIsIPv4)
        {
            return .fromB
        }
        return nil
    }

    /// Notes a packet of this connection.
    @inline(__always)
    mutating func notePacket(_ packet: Int, _ time: Timestamp, from direction: Direction) {
        if direction == .fromB { flags.insert(.bothSeen) }
        storedLastPacket = UInt32(truncatingIfNeeded: packet)
        lastTime = time
    }

    /// Notes the number of the process that a packet belongs to, 0 for none; the first one counts.
    @inline(__always)
    mutating func note(process: UInt32) {
        if processNumber == 0 { processNumber = process }
    }

    /// Notes payload that was not seen before.
    @inline(__always)
    mutating func notePayload(_ count: Int, from direction: Direction) {
        if direction == .fromA { bytesFromA &+= count } else { bytesFromB &+= count }
    }

    /// Takes what the messages say; the SYN, where it was captured, knows better who the client is.
    mutating func note(_ content: ConnectionContent) {
        if !startSeen, let client = content.client { clientIsB = client == .fromB }
        applicationProtocol = content.applicationProtocol
        if content.isEncrypted { isEncrypted = true }
    }

    /// Concludes, from all packets, what no single one tells.
    mutating func conclude() {
        isOneSided = bytesFromA + bytesFromB > 0 && !flags.contains(.bothSeen)
        if bytesFromServer > 0 { isAccepted = true }
    }

    /// Whether any payload was seen.
    var hasPayload: Bool { bytesFromA + bytesFromB > 0 }

    /// Notes a FIN or RST; the first one counts.
    mutating func noteClose(from direction: Direction, isReset: Bool, packet: Int, time: Timestamp) {
        guard !flags.contains(.isClosed) else { return }
        flags.insert(.isClosed)
        set(.closedByB, direction == .fromB)
        set(.closedByReset, isReset)
        closePacket = packet
        closeTime = time
    }
}

/// Which end of a connection sent a packet: *a*, the sender of the first packet captured, or *b*.
enum Direction: UInt8 {
    case fromA
    case fromB

    /// The direction of a stream: twice a pool index, plus one for *b*.
    @inline(__always)
    init(stream: Int) { self = stream & 1 == 0 ? .fromA : .fromB }

    /// The other way.
    var opposite: Direction { self == .fromA ? .fromB : .fromA }
}
