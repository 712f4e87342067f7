import AuthScanBytes

/// Gathers the messages to and from key distribution centers, out of datagrams and out of streams.
///
/// A datagram is one message. In a stream each message follows its length, four bytes, most significant first, whose highest
/// bit is reserved. Where a stream has lost its place, the next packet that starts with a plausible length and message goes on.
///
/// - Source: RFC 4120 §7.2.1, §7.2.2.
struct KDCTraffic {
    /// How many messages were not kept because there were too many, or too many bytes of them, or they were too long.
    private(set) var recordsBeyondCount = 0
    private(set) var recordsBeyondBytes = 0
    private(set) var recordsTooLong = 0

    /// One direction of a connection.
    private struct Stream {
        enum State {
            /// The length and the message, as far as they have come.
            case message([UInt8])
            /// So many bytes of a message that is not kept are to come.
            case passing(Int)
            /// Where the next message starts is not known.
            case lost
        }

        var state = State.message([])
        var client: Endpoint
        var server: Endpoint
        var isFromClient: Bool
        var connection: Int
        var packet = 0
        var time = Timestamp(nanoseconds: 0)
    }

    private var records: [KDCRecord] = []
    /// How many bytes are kept, those of unfinished messages included.
    private var keptBytes = 0
    private var streams: [Int: Stream] = [:]
    private let limits: Limits

    init(limits: Limits) { self.limits = limits }

    /// Takes a datagram.
    mutating func receive(_ segment: TCPSegment, in bytes: RawSpan, packet: Int, time: Timestamp) {
        let start = segment.payloadStart
        guard segment.payloadCount > 0, KDCTraffic.startsMessage(bytes.byte(start)) else { return }
        guard segment.payloadCount <= limits.kdcMessageBytes else {
            recordsTooLong += 1
            return
        }
        guard records.count < limits.kdcMessages else {
            recordsBeyondCount += 1
            return
        }
        guard keptBytes + segment.payloadCount <= limits.kdcBytes else {
            recordsBeyondBytes += 1
            return
        }
        var content: [UInt8] = []
        content.append(bytes.extracting(start..<(start + segment.payloadCount)))
        keptBytes += content.count
        let isFromClient = segment.destinationPort == KerberosPort.kdc
        records.append(
            KDCRecord(
                client: isFromClient ? segment.source : segment.destination,
                server: isFromClient ? segment.destination : segment.source,
                isFromClient: isFromClient,
                isProxied: false,
                connection: nil,
                packet: packet,
                time: time,
                bytes: Secret(content),
                missingBytes: segment.missingCount
            )
        )
    }

    /// The tags of AS-REQ, AS-REP, TGS-REQ, TGS-REP and KRB-ERROR.
    ///
    /// - Source: RFC 4120 §5.10.
    static func startsMessage(_ byte: UInt8) -> Bool { (0x6A...0x6D).contains(byte) || byte == 0x7E }

    /// The messages in packet order, those that came through proxies among them.
    mutating func finish(adding proxied: [KDCRecord]) -> [KDCRecord] {
        let ordered = (exchange(&records, with: []) + proxied).enumerated().sorted {
            ($0.element.packet, $0.offset) < ($1.element.packet, $1.offset)
        }
        return ordered.map(\.element)
    }
}

// MARK: - Streams

extension KDCTraffic {
    /// Begins with one direction of a connection.
    mutating func open(_ stream: Int, client: Endpoint, server: Endpoint, isFromClient: Bool, connection: Int) {
        streams[stream] = Stream(client: client, server: server, isFromClient: isFromClient, connection: connection)
    }

    /// Takes the next bytes of a direction.
    mutating func receive(_ bytes: RawSpan, _ chunk: StreamChunk) {
        guard var stream = streams.removeValue(forKey: chunk.stream) else { return }
        stream.packet = chunk.packet
        stream.time = chunk.time
        var position = 0
        while position < bytes.byteCount {
            switch stream.state {
            case .passing(let count):
                let passed = min(count, bytes.byteCount - position)
                position += passed
                stream.state = passed == count ? .message([]) : .passing(count - passed)
            case .lost:
                if position > 0 || !isPlausible(bytes) {
                    position = bytes.byteCount
                } else {
                    stream.state = .message([])
                }
            case .message(var message):
                // The array has one owner while it grows.
                stream.state = .lost
                extend(&message, bytes, at: &position)
                advance(&stream, message)
            }
        }
        streams[chunk.stream] = stream
    }

    /// Whether a packet starts with a length that messages have, and with a message.
    private func isPlausible(_ bytes: RawSpan) -> Bool {
        bytes.byteCount > 4 && (1...limits.kdcMessageBytes).contains(Int(bytes.bigEndian32(0)))
            && KDCTraffic.startsMessage(bytes.byte(4))
    }

    /// Adds bytes up to the end of the length, or of the message.
    private mutating func extend(_ message: inout [UInt8], _ bytes: RawSpan, at position: inout Int) {
        let missing = message.count < 4 ? 4 - message.count : KDCTraffic.length(of: message) + 4 - message.count
        let taken = min(missing, bytes.byteCount - position)
        message.append(bytes.extracting(position..<(position + taken)))
        keptBytes += taken
        position += taken
    }

    private static func length(of message: [UInt8]) -> Int {
        message.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    }

    /// Decides what becomes of a message that grew.
    private mutating func advance(_ stream: inout Stream, _ message: [UInt8]) {
        guard message.count >= 4 else {
            stream.state = .message(message)
            return
        }
        let length = KDCTraffic.length(of: message)
        if length == 0 || length >> 31 == 1 || message.count > 4 && !KDCTraffic.startsMessage(message[4]) {
            keptBytes -= message.count
            stream.state = .lost
        } else if hasNoRoom(for: length) {
            keptBytes -= message.count
            let rest = length + 4 - message.count
            stream.state = rest > 0 ? .passing(rest) : .message([])
        } else if message.count == length + 4 {
            keep(message[4...], stream, missingBytes: 0)
            keptBytes -= 4
            stream.state = .message([])
        } else {
            stream.state = .message(message)
        }
    }

    /// Counts a message that is not kept.
    private mutating func hasNoRoom(for length: Int) -> Bool {
        if length > limits.kdcMessageBytes {
            recordsTooLong += 1
        } else if records.count >= limits.kdcMessages {
            recordsBeyondCount += 1
        } else if keptBytes > limits.kdcBytes {
            recordsBeyondBytes += 1
        } else {
            return false
        }
        return true
    }

    private mutating func keep(_ message: ArraySlice<UInt8>, _ stream: Stream, missingBytes: Int) {
        records.append(
            KDCRecord(
                client: stream.client,
                server: stream.server,
                isFromClient: stream.isFromClient,
                isProxied: false,
                connection: stream.connection,
                packet: stream.packet,
                time: stream.time,
                bytes: Secret(Array(message)),
                missingBytes: missingBytes
            )
        )
    }

    /// Bytes of a direction are missing: a message that lacks them is kept as far as it goes.
    mutating func receiveGap(_ count: Int, _ chunk: StreamChunk) {
        guard var stream = streams.removeValue(forKey: chunk.stream) else { return }
        switch stream.state {
        case .lost: break
        case .passing(let rest):
            stream.state = count < rest ? .passing(rest - count) : count == rest ? .message([]) : .lost
        case .message(let message):
            let rest = flush(message, stream)
            stream.state = rest > count ? .passing(rest - count) : rest == count ? .message([]) : .lost
        }
        streams[chunk.stream] = stream
    }

    /// Nothing more comes of a direction.
    mutating func end(_ stream: Int) {
        guard let ended = streams.removeValue(forKey: stream), case .message(let message) = ended.state else { return }
        _ = flush(message, ended)
    }

    /// Keeps what there is of an unfinished message; returns how many bytes it lacks.
    private mutating func flush(_ message: [UInt8], _ stream: Stream) -> Int {
        guard message.count > 4 else {
            keptBytes -= message.count
            return 0
        }
        let missing = KDCTraffic.length(of: message) + 4 - message.count
        keep(message[4...], stream, missingBytes: missing)
        keptBytes -= 4
        return missing
    }
}
