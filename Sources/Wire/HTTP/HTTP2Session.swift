import AuthScanNativeCodecs

/// Follows one HTTP/2 connection: its frames in each direction, and the streams they belong to.
///
/// - A frame that matters is put together; DATA and the rest are passed over by length.
/// - A gap inside a frame loses that frame alone. Where it swallowed a frame's header, the next packet that starts with a plausible one
///   is where reading goes on.
/// - The tables of header compression are those of the sender: once a header block is lost, `HPACKRecovery` reads on.
final class HTTP2Session {
    var facts: HTTP2Connection
    let directions: [HTTP2Direction]
    var streams: [UInt32: Stream] = [:]
    /// The authority of the CONNECT tunnel that it lies in.
    let tunnel: String?
    /// Whether the connection was recognised by its frames, and nothing has said yet which end is the client.
    let isMidstream: Bool
    /// The highest stream that a request was seen on, as long as nothing is missing.
    var highestRequest: UInt32?

    /// Streams that the client has called off: the answer may be on its way.
    private var calledOff: [UInt32] = []

    /// One request and its response.
    struct Stream {
        /// The index of its transaction; −1 where it was beyond the limit.
        var transaction: Int32
        var isRequestEnded = false
        var isResponseEnded = false
        /// Whether bytes of it may be missing.
        var isDamaged = false
    }

    /// How many resets and announcements are kept.
    static let noteLimit = 1024

    init(connection: Int, tunnel: String?, isSecure: Bool, isFromStart: Bool, isMidstream: Bool = false) {
        self.tunnel = tunnel
        self.isMidstream = isMidstream
        highestRequest = isFromStart ? 0 : nil
        facts = HTTP2Connection(connection: connection, isSecure: isSecure)
        directions = (0..<2).map { _ in HTTP2Direction(isFromStart: isFromStart, isSearching: isMidstream) }
    }

    /// A side has ended a stream before its time.
    func reset(_ stream: UInt32, by side: Side) {
        guard side == .client, streams[stream]?.isResponseEnded == false else { return streams[stream] = nil }
        streams[stream]?.isRequestEnded = true
        calledOff.append(stream)
        if calledOff.count > HTTP2Session.calledOffLimit { streams[calledOff.removeFirst()] = nil }
    }

    /// How many streams that were called off are waited for.
    private static let calledOffLimit = 64

    /// Notes that an unknown part of a direction is missing: what its open streams carry may lack something.
    func noteDamage() {
        highestRequest = nil
        for stream in streams.keys { streams[stream]?.isDamaged = true }
    }
}

/// How far the reading of one direction of an HTTP/2 connection has come.
final class HTTP2Direction {
    /// What reading on has found.
    enum Event {
        /// A frame is whole; its payload is in `payload`.
        case frame(HTTP2FrameHeader)
        /// So many bytes of a DATA frame, the last ones where `isLast`.
        case data(HTTP2FrameHeader, count: Int, isLast: Bool)
    }

    /// The header block that is being put together.
    struct Block {
        var bytes: [UInt8] = []
        var stream: UInt32
        var endsStream: Bool
        var isPromise: Bool
        var firstPacket: Int
        var firstTime: Timestamp
    }

    /// The header of the frame that is being read; `nil` between frames.
    private(set) var frame: HTTP2FrameHeader?
    /// How many bytes of its payload are left.
    private var remaining = 0
    /// Whether bytes of its payload are missing.
    private var isFrameDamaged = false
    /// The bytes of a header that is cut.
    private var header: [UInt8] = []
    private(set) var payload: [UInt8] = []
    /// The packet that brought the first byte of the frame.
    private(set) var firstPacket = 0
    private(set) var firstTime = Timestamp(nanoseconds: 0)
    /// Whether nobody knows where the next frame starts.
    private(set) var isSearching: Bool
    /// What is left of the connection preface.
    private var prefaceLeft = 0

    var block: Block?
    private var inflater: HPACKInflater?
    private var recovery = HPACKRecovery()

    private static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
    /// The longest payload that is put together, in bytes.
    static let payloadLimit = 1 << 18

    init(isFromStart: Bool, isSearching: Bool) {
        inflater = isFromStart ? HPACKInflater() : nil
        self.isSearching = isSearching
    }

    /// Whether header blocks are read in full.
    var hasHeaderState: Bool { inflater != nil }

    /// The state of header compression is lost.
    func loseHeaderState() {
        inflater = nil
        block = nil
    }

    /// The receiver of this direction has said how large its table may become.
    func allowTableSize(_ size: Int) { inflater?.allowTableSize(size) }

    /// Reads the fields of a whole header block.
    func fields(of block: [UInt8], limit: Int) -> HTTP2Fields {
        var fields = HTTP2Fields(limit: limit)
        if let inflater {
            do throws(HPACKInflater.Damaged) {
                let isWhole = try inflater.inflate(block, limit: limit) { fields.add($0, $1) }
                if !isWhole { fields.isComplete = false }
                return fields
            } catch {
                self.inflater = nil
                fields = HTTP2Fields(limit: limit)
            }
        }
        for field in recovery.decode(block) {
            if let field { fields.add(field.name, field.value) } else { fields.isComplete = false }
        }
        return fields
    }

    /// Reads on until something is there: call again until it returns `nil`.
    func next(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) -> Event? {
        while position < bytes.byteCount {
            if prefaceLeft > 0 {
                let count = min(prefaceLeft, bytes.byteCount - position)
                prefaceLeft -= count
                position += count
            } else if let frame {
                if let event = readPayload(of: frame, bytes, at: &position) { return event }
            } else if isSearching {
                guard isPlausible(bytes, at: position) else {
                    position = bytes.byteCount
                    return nil
                }
                isSearching = false
            } else if let event = readHeader(bytes, at: &position, chunk) {
                return event
            }
        }
        return nil
    }

    private func readHeader(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) -> Event? {
        if header.isEmpty {
            firstPacket = chunk.packet
            firstTime = chunk.time
        }
        let count = min(HTTP2FrameHeader.byteCount - header.count, bytes.byteCount - position)
        header.append(bytes.extracting(position..<(position + count)))
        position += count
        guard header.count == HTTP2FrameHeader.byteCount else { return nil }
        defer { header.removeAll(keepingCapacity: true) }
        if withBytes(of: header, { HTTP2Direction.preface.hasPrefix($0) }) {
            prefaceLeft = HTTP2Direction.preface.utf8CodeUnitCount - header.count
            return nil
        }
        let new = withBytes(of: header) { HTTP2FrameHeader($0, at: 0) }
        if new.isCollected, new.length > HTTP2Direction.payloadLimit {
            // Nobody sends this: the place is lost.
            isSearching = true
            loseHeaderState()
            return nil
        }
        remaining = new.length
        isFrameDamaged = false
        payload.removeAll(keepingCapacity: true)
        if remaining > 0 {
            frame = new
            return nil
        }
        return new.kind == .data ? .data(new, count: 0, isLast: true) : .frame(new)
    }

    private func readPayload(of header: HTTP2FrameHeader, _ bytes: RawSpan, at position: inout Int) -> Event? {
        let count = min(remaining, bytes.byteCount - position)
        if header.isCollected, !isFrameDamaged { payload.append(bytes.extracting(position..<(position + count))) }
        position += count
        remaining -= count
        if remaining == 0 { frame = nil }
        if header.kind == .data { return .data(header, count: count, isLast: remaining == 0) }
        return remaining == 0 && !isFrameDamaged ? .frame(header) : nil
    }

    private func isPlausible(_ bytes: RawSpan, at position: Int) -> Bool {
        guard bytes.byteCount - position >= HTTP2FrameHeader.byteCount else { return false }
        return HTTP2FrameHeader(bytes, at: position).isPlausible(reservedBit: bytes.byte(position + 5) & 0x80 != 0)
    }

    /// Notes that bytes are missing; returns whether they all lay inside one DATA frame.
    func receiveGap(_ count: Int) -> Bool {
        if isSearching { return false }
        let isInside = frame != nil && count <= remaining
        if let frame, frame.kind == .data || !frame.isCollected, isInside {
            remaining -= count
            if remaining == 0 { self.frame = nil }
            return frame.kind == .data
        }
        loseHeaderState()
        if isInside {
            isFrameDamaged = true
            remaining -= count
            if remaining == 0 { frame = nil }
        } else {
            frame = nil
            header.removeAll(keepingCapacity: true)
            isSearching = true
        }
        return false
    }
}

extension StaticString {
    /// Whether a literal begins with some bytes.
    fileprivate func hasPrefix(_ bytes: RawSpan) -> Bool { bytes.holds(self, at: 0, isPrefix: true) }
}
