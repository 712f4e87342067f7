import AuthScanBytes

/// What stage 3 hands on: the next bytes of one direction of a connection, or that they are missing, or where it ends.
struct StreamChunk {
    /// What there is.
    enum Content {
        /// The connection's pool index was given to a new connection; `ends` is the index of its ends in the output where one
        /// of them is a key distribution center, −1 otherwise.
        case opened(ends: Int)
        /// Bytes: in the block being read where `buffer` is −1, else in that buffer of the output.
        case bytes(buffer: Int32, start: Int, count: Int32)
        /// That many bytes are missing from the capture.
        case gap(Int)
        /// The direction ended in order (FIN).
        case finished
        /// Nothing further comes of the whole connection: it closed, its ends were used again, or the capture is over.
        case ended
        /// No stream at all: a datagram to or from a key distribution center, by its index in the output.
        case datagram(Int)
        /// No stream at all: secrets that lie in the capture, by their index in the output.
        case secrets(Int)

        /// Bytes of a packet's payload, or of what was put together of a few.
        @inline(__always)
        init(buffer: Int32, start: Int, count: Int) {
            self = .bytes(buffer: buffer, start: start, count: Int32(truncatingIfNeeded: count))
        }
    }

    // All of them go from one thread to another, and are packed for that.

    var content: Content

    /// Which end is the client, as far as packets tell: by the SYN, or else by the ports.
    let client: Direction

    /// Whether the connection's SYN was captured, so that there is no doubt about the client.
    let isStartSeen: Bool

    private var storedStream: Int32
    private let storedConnection: UInt32
    private let storedPacket: UInt32

    /// When its packet was captured.
    let time: Timestamp

    /// The sequence number of the first byte.
    var sequence = SequenceNumber()

    /// What the sender had received of the other direction when it sent this.
    var acknowledgement = SequenceNumber()

    init(
        content: Content,
        stream: Int,
        connection: Int,
        packet: Int,
        time: Timestamp,
        client: Direction = .fromA,
        isStartSeen: Bool = false
    ) {
        self.content = content
        storedStream = Int32(truncatingIfNeeded: stream)
        storedConnection = UInt32(truncatingIfNeeded: connection)
        storedPacket = UInt32(clamping: packet)
        self.time = time
        self.client = client
        self.isStartSeen = isStartSeen
    }

    /// The direction of the connection: twice the pool index, plus one for *b*.
    var stream: Int {
        get { Int(storedStream) }
        set { storedStream = Int32(truncatingIfNeeded: newValue) }
    }

    /// The packet that brought it.
    var packet: Int { Int(storedPacket) }

    /// The connection's index.
    var connection: Int { Int(storedConnection) }

    /// Which end sends in this direction.
    var direction: Direction { Direction(stream: stream) }
}

/// The chunks of a block of packets, in buffers that are used again and again.
struct StreamOutput: Sendable {
    /// A datagram to or from a key distribution center; `segment` says where its payload lies in `bytes`.
    struct Datagram {
        let segment: TCPSegment
        let bytes: [UInt8]
    }

    /// The chunks, and behind `count` what is left of earlier blocks.
    private var chunks: [StreamChunk] = []

    /// How many chunks there are.
    private(set) var count = 0

    /// Bytes that do not lie in the block: of segments that had to wait, and of frames that were put together.
    private(set) var buffers: [[UInt8]] = []

    private(set) var datagrams: [Datagram] = []
    private(set) var secrets: [Secret<[UInt8]>] = []
    private(set) var ends: [ConnectionEnds] = []

    /// The buffer that frames are being read from, −1 for the block, and where the frame starts in it.
    var source: (buffer: Int32, start: Int) = (-1, 0)

    subscript(index: Int) -> StreamChunk { chunks[index] }

    /// The direction of the connection that a chunk belongs to; see `StreamChunk.stream`.
    func stream(_ index: Int) -> Int { chunks[index].stream }

    /// Where a chunk's bytes lie in the block being read; empty where it has none there.
    func placeInBlock(_ index: Int) -> Range<Int> {
        guard case .bytes(-1, let start, let count) = chunks[index].content else { return 0..<0 }
        return start..<(start + Int(count))
    }

    @inline(__always)
    mutating func append(_ chunk: StreamChunk) {
        if count < chunks.count { chunks[count] = chunk } else { chunks.append(chunk) }
        count &+= 1
    }

    /// Keeps bytes that do not lie in the block; returns the number of their buffer.
    mutating func keep(_ bytes: [UInt8]) -> Int32 {
        buffers.append(bytes)
        return Int32(buffers.count - 1)
    }

    /// Forgets a buffer in which no chunk lies, if nothing was kept behind it.
    mutating func forgetBuffer(_ buffer: Int32) {
        if Int(buffer) == buffers.count - 1 { buffers.removeLast() }
    }

    /// Adds a datagram to or from a key distribution center.
    mutating func append(_ segment: TCPSegment, in bytes: RawSpan, packet: Int, time: Timestamp) {
        var payload: [UInt8] = []
        payload.append(bytes.extracting(segment.payloadStart..<(segment.payloadStart + segment.payloadCount)))
        var segment = segment
        segment.payloadStart = 0
        datagrams.append(Datagram(segment: segment, bytes: payload))
        let content = StreamChunk.Content.datagram(datagrams.count - 1)
        append(StreamChunk(content: content, stream: 0, connection: 0, packet: packet, time: time))
    }

    /// Adds secrets that lie in the capture, and count for what comes behind them.
    mutating func append(_ secrets: Secret<[UInt8]>) {
        self.secrets.append(secrets)
        let content = StreamChunk.Content.secrets(self.secrets.count - 1)
        append(StreamChunk(content: content, stream: 0, connection: 0, packet: 0, time: Timestamp(nanoseconds: 0)))
    }

    /// Keeps the ends of a connection; returns their index.
    mutating func keep(_ ends: ConnectionEnds) -> Int {
        self.ends.append(ends)
        return self.ends.count - 1
    }

    /// Forgets the chunks once they are consumed.
    mutating func removeAll() {
        count = 0
        source = (-1, 0)
        if !buffers.isEmpty { buffers.removeAll(keepingCapacity: true) }
        if !datagrams.isEmpty { datagrams.removeAll() }
        if !secrets.isEmpty { secrets.removeAll() }
        if !ends.isEmpty { ends.removeAll() }
    }
}

/// The two ends of a connection, by direction of the packets.
struct ConnectionEnds {
    let a: Endpoint
    let b: Endpoint

    /// The end that sends in a direction.
    func sender(_ direction: Direction) -> Endpoint { direction == .fromA ? a : b }
}
