import AuthScanBytes

/// Stage 3: puts the segments of each connection back in order.
///
/// What is next in order is handed on at once, without a copy. What lies behind a hole waits in a `PendingQueue`. A hole becomes a gap
/// when the other side has acknowledged bytes behind it and has then either sent payload or let `patienceLimit` packets pass (packets
/// may be captured out of order), when too much waits behind it, or when the connection or the capture ends. The first copy of a byte
/// wins. A connection keeps its state in the pools until both directions are finished; its summary stays.
///
/// - Source: RFC 9293 §3.4, §3.6, §3.8.
struct ConnectionTracker {
    /// The summaries; a connection's index is its number − 1.
    var connections: [Connection] = []

    /// Gaps in packet order: connection index, direction, bytes, packet.
    var gaps: [(connection: Int, direction: Direction, bytes: Int, packet: Int)] = []

    /// How many gaps were not noted because there were too many.
    var gapsLeftOut = 0

    /// How many connections were not kept because there were too many.
    var connectionsLeftOut = 0

    var table = ConnectionTable()
    /// Two for each pool index: *a* → *b*, then *b* → *a*.
    var streams: [StreamState] = []
    /// How many pool indices there are.
    private var liveCount: Int32 = 0
    private var freeLives: [Int32] = []
    var queues: [PendingQueue] = []
    var freeQueues: [Int32] = []
    var pendingBytes = 0
    private let limits: Limits

    /// How many packets may pass before an acknowledged hole is given up.
    static let patienceLimit: UInt8 = 8
    /// How many pieces of one direction may wait.
    static let pendingPieces = 1024
    /// How many gaps are noted.
    static let gapLimit = 200_000
    /// A segment this far back is no retransmission: another connection uses the same ends.
    static let largestStepBack = 1 << 26
    /// Payload this long after the end belongs to a connection whose SYN was not captured.
    static let quietNanoseconds: Int64 = 60_000_000_000

    init(limits: Limits) {
        self.limits = limits
        // Room that is not used costs nothing, and growing again and again leaves holes in the heap.
        connections.reserveCapacity(min(limits.connections, 1 << 18))
        streams.reserveCapacity(min(limits.connections, 1 << 18) * 2)
    }

    /// What `receive` needs to know of a segment's ends.
    func hash(of segment: TCPSegment) -> UInt64 { table.hash(of: segment) }

    /// Takes one segment of any kind with the hash of its ends; `frame` holds its payload.
    mutating func receive(
        _ segment: TCPSegment,
        _ hash: UInt64,
        frame: RawSpan,
        packet: Int,
        time: Timestamp,
        into output: inout StreamOutput
    ) {
        guard let (index, direction) = connection(of: segment, hash, packet: packet, time: time, into: &output) else {
            return
        }
        connections[index].notePacket(packet, time, from: direction)
        connections[index].note(process: segment.process)
        if segment.missingCount > 0 { connections[index].truncatedPackets += 1 }
        let live = Int(connections[index].live)
        guard live >= 0 else { return }
        let stream = live * 2 + Int(direction.rawValue)
        var sequence = SequenceNumber(segment.sequence)
        if segment.flags.contains(.syn) {
            receiveSYN(segment, index, stream, direction)
            sequence = sequence.advanced(by: 1)
        }
        var step = Step(connections[index], stream: stream, packet: packet, time: time)
        step.acknowledgement = SequenceNumber(segment.acknowledgement)
        let length = segment.payloadCount &+ segment.missingCount
        if segment.flags.contains(.ack) { receiveAcknowledgement(step, hasPayload: length > 0, into: &output) }
        if length > 0 || !segment.flags.contains(.rst) {
            receivePayload(segment, sequence, step, frame, into: &output)
        }
        if !segment.flags.isDisjoint(with: [.fin, .rst]) {
            receiveEnd(segment, sequence.advanced(by: length), step, into: &output)
        }
        if streams[stream].pending >= 0 { checkPatience(step, into: &output) }
    }

    /// What all chunks of one packet have in common.
    struct Step {
        let connection: Int
        var stream: Int
        var packet: Int
        var time: Timestamp
        var acknowledgement = SequenceNumber()
        let client: Direction
        let isStartSeen: Bool

        @inline(__always)
        init(_ connection: borrowing Connection, stream: Int, packet: Int, time: Timestamp) {
            self.connection = connection.number &- 1
            self.stream = stream
            self.packet = packet
            self.time = time
            client = connection.clientIsB ? .fromB : .fromA
            isStartSeen = connection.startSeen
        }

        var direction: Direction { Direction(stream: stream) }

        /// The same step, about the other direction.
        var opposite: Step {
            var step = self
            step.stream ^= 1
            return step
        }

        @inline(__always)
        func chunk(_ content: StreamChunk.Content, _ sequence: SequenceNumber = SequenceNumber()) -> StreamChunk {
            var chunk = StreamChunk(
                content: content,
                stream: stream,
                connection: connection,
                packet: packet,
                time: time,
                client: client,
                isStartSeen: isStartSeen
            )
            chunk.sequence = sequence
            chunk.acknowledgement = acknowledgement
            return chunk
        }
    }
}

// MARK: - Connections

extension ConnectionTracker {
    /// The connection that a segment belongs to, opened where there is none; `nil` beyond the limit.
    mutating func connection(
        of segment: TCPSegment,
        _ hash: UInt64,
        packet: Int,
        time: Timestamp,
        into output: inout StreamOutput
    ) -> (index: Int, direction: Direction)? {
        var slot = table.slot(for: hash)
        while let index = table.next(hash, from: &slot) {
            guard let direction = connections[index].direction(of: segment) else { continue }
            guard begins(segment, after: index, direction: direction, time: time) else { return (index, direction) }
            end(index, packet: packet, time: time, into: &output)
            guard let new = open(segment, packet: packet, time: time, into: &output) else { return nil }
            table.replace(index, by: new, hash: hash)
            return (new, .fromA)
        }
        guard let new = open(segment, packet: packet, time: time, into: &output) else { return nil }
        table.insert(new, hash: hash)
        return (new, .fromA)
    }

    /// Whether a segment is the first one seen of another connection between the same ends.
    func begins(_ segment: TCPSegment, after index: Int, direction: Direction, time: Timestamp) -> Bool {
        let live = Int(connections[index].live)
        guard live >= 0 else {
            if segment.flags.contains(.syn) { return !segment.flags.contains(.ack) }
            let quiet = time.nanoseconds.subtractingReportingOverflow(connections[index].lastTime.nanoseconds)
            return segment.payloadCount > 0 && !quiet.overflow
                && quiet.partialValue > ConnectionTracker.quietNanoseconds
        }
        let state = streams[live * 2 + Int(direction.rawValue)]
        guard state.flags.contains(.isKnown) else { return false }
        if segment.flags.contains(.syn) {
            guard state.mayRestart(at: SequenceNumber(segment.sequence)) else { return false }
            return connections[index].hasPayload || connections[index].closePacket != nil
        }
        let distance = SequenceNumber(segment.sequence).distance(from: state.next)
        return segment.payloadCount > 0 && distance < -ConnectionTracker.largestStepBack
    }

    /// Opens a connection with its first segment.
    mutating func open(
        _ segment: TCPSegment,
        packet: Int,
        time: Timestamp,
        into output: inout StreamOutput
    ) -> Int? {
        guard connections.count < limits.connections else {
            let isFirst = segment.flags.contains(.syn) && !segment.flags.contains(.ack)
            if isFirst || connectionsLeftOut == 0 { connectionsLeftOut += 1 }
            return nil
        }
        let live: Int32
        if let free = freeLives.popLast() {
            live = free
        } else {
            live = liveCount
            liveCount += 1
            streams.append(StreamState())
            streams.append(StreamState())
        }
        let index = connections.count
        streams[Int(live) * 2] = StreamState()
        streams[Int(live) * 2 + 1] = StreamState()
        let ends = ConnectionEnds(a: segment.source, b: segment.destination)
        var connection = Connection(number: index + 1, a: ends.a, b: ends.b, packet: packet, time: time)
        connection.live = live
        // Without a SYN, servers mostly have the lower port; content may tell better later.
        connection.clientIsB = segment.sourcePort < segment.destinationPort
        connections.append(connection)
        let isOfKDC = segment.sourcePort == KerberosPort.kdc || segment.destinationPort == KerberosPort.kdc
        let opened = StreamChunk.Content.opened(ends: isOfKDC ? output.keep(ends) : -1)
        output.append(Step(connection, stream: Int(live) * 2, packet: packet, time: time).chunk(opened))
        return index
    }

    /// Ends a connection whose ends are used again.
    mutating func end(_ index: Int, packet: Int, time: Timestamp, into output: inout StreamOutput) {
        let live = connections[index].live
        guard live >= 0 else { return }
        let step = Step(connections[index], stream: Int(live) * 2, packet: packet, time: time)
        giveUpHoles(step, into: &output)
        giveUpHoles(step.opposite, into: &output)
        release(step, into: &output)
    }

    /// The summaries with their gaps, once every connection is ended; `contents` is what the messages say of them.
    mutating func finishConnections(_ contents: [ConnectionContent]) -> [Connection] {
        for index in connections.indices where index < contents.count { connections[index].note(contents[index]) }
        for gap in gaps {
            let side = connections[gap.connection].side(of: gap.direction)
            connections[gap.connection].gaps.append(Gap(from: side, bytes: gap.bytes, beforePacket: gap.packet))
        }
        for index in connections.indices { connections[index].conclude() }
        return exchange(&connections, with: [])
    }

    mutating func release(_ step: Step, into output: inout StreamOutput) {
        guard connections[step.connection].live >= 0 else { return }
        output.append(step.chunk(.ended))
        connections[step.connection].live = -1
        freeLives.append(Int32(step.stream >> 1))
    }

    /// Ends a connection, if it is open, at the end of the capture.
    mutating func finish(_ index: Int, into output: inout StreamOutput) {
        end(index, packet: connections[index].lastPacket, time: connections[index].lastTime, into: &output)
    }
}

// MARK: - One segment

extension ConnectionTracker {
    mutating func receiveSYN(_ segment: TCPSegment, _ index: Int, _ stream: Int, _ direction: Direction) {
        let initial = SequenceNumber(segment.sequence)
        let isReply = segment.flags.contains(.ack)
        connections[index].startSeen = true
        connections[index].clientIsB = (direction == .fromB) != isReply
        if isReply { connections[index].isAccepted = true }
        if !streams[stream].flags.contains(.hasDelivered) { streams[stream].next = initial.advanced(by: 1) }
        streams[stream].initial = initial
        streams[stream].flags.formUnion([.isKnown, .hasInitial])
    }

    /// Notes what the other side has received; holes that it has received are lost to the capture.
    mutating func receiveAcknowledgement(_ step: Step, hasPayload: Bool, into output: inout StreamOutput) {
        let other = step.stream ^ 1
        let number = step.acknowledgement
        streams[other].acknowledge(number)
        guard streams[other].pending >= 0 || streams[other].flags.contains(.hasFIN) else { return }
        if hasPayload {
            giveUpAcknowledgedHoles(step.opposite, into: &output)
        } else {
            checkPatience(step.opposite, into: &output)
        }
    }

    mutating func receivePayload(
        _ segment: TCPSegment,
        _ sequence: SequenceNumber,
        _ step: Step,
        _ frame: RawSpan,
        into output: inout StreamOutput
    ) {
        if !streams[step.stream].flags.contains(.isKnown) {
            streams[step.stream].next = sequence
            streams[step.stream].flags.insert(.isKnown)
        }
        let length = segment.payloadCount &+ segment.missingCount
        guard length > 0 else { return }
        let distance = sequence.distance(from: streams[step.stream].next)
        if distance == 0, streams[step.stream].pending < 0 {
            deliver(segment, skipping: 0, step, into: &output)
        } else {
            receiveOutOfOrder(segment, sequence, distance, step, frame, into: &output)
        }
    }

    /// Hands on the payload of the frame being read, without its first bytes.
    mutating func deliver(
        _ segment: TCPSegment,
        skipping: Int,
        _ step: Step,
        into output: inout StreamOutput
    ) {
        let count = segment.payloadCount &- skipping
        var missing = segment.missingCount
        if count > 0 {
            let start = output.source.start &+ segment.payloadStart &+ skipping
            let content = StreamChunk.Content(buffer: output.source.buffer, start: start, count: count)
            output.append(step.chunk(content, streams[step.stream].next))
            connections[step.connection].notePayload(count, from: step.direction)
            streams[step.stream].next = streams[step.stream].next.advanced(by: count)
            streams[step.stream].flags.insert(.hasDelivered)
        } else {
            missing += count
        }
        if missing > 0 { declareGap(missing, step, into: &output) }
        if streams[step.stream].flags.contains(.hasFIN) { finishIfComplete(step, into: &output) }
    }

    mutating func receiveOutOfOrder(
        _ segment: TCPSegment,
        _ sequence: SequenceNumber,
        _ distance: Int,
        _ step: Step,
        _ frame: RawSpan,
        into output: inout StreamOutput
    ) {
        let length = segment.payloadCount + segment.missingCount
        guard distance + length > 0 else { return }
        let end = sequence.advanced(by: length)
        if distance <= 0, waitingStart(step.stream).map({ end.distance(from: $0) <= 0 }) ?? true {
            deliver(segment, skipping: -distance, step, into: &output)
        } else if distance == 1, streams[step.stream].flags.isDisjoint(with: [.hasInitial, .hasDelivered]) {
            // The first packet captured was a keep-alive probe, one byte before the expected sequence number.
            streams[step.stream].next = sequence
            deliver(segment, skipping: 0, step, into: &output)
        } else {
            wait(segment, sequence, step, frame, into: &output)
        }
        drain(step, into: &output)
    }

    func waitingStart(_ stream: Int) -> SequenceNumber? {
        let queue = Int(streams[stream].pending)
        return queue < 0 ? nil : queues[queue].start
    }

    /// Keeps a segment until the hole before it is filled or given up.
    mutating func wait(
        _ segment: TCPSegment,
        _ sequence: SequenceNumber,
        _ step: Step,
        _ frame: RawSpan,
        into output: inout StreamOutput
    ) {
        if streams[step.stream].pending < 0 {
            if freeQueues.isEmpty {
                freeQueues.append(Int32(queues.count))
                queues.append(PendingQueue())
            }
            streams[step.stream].pending = freeQueues.removeLast()
        }
        let queue = Int(streams[step.stream].pending)
        let piece = PendingQueue.Piece(
            sequence: sequence,
            bytes: [],
            cut: segment.payloadCount + segment.missingCount,
            packet: step.packet,
            time: step.time,
            acknowledgement: step.acknowledgement
        )
        let payload = frame.extracting(segment.payloadStart..<(segment.payloadStart + segment.payloadCount))
        pendingBytes += queues[queue].insert(piece, from: payload)
        while streams[step.stream].pending >= 0, isTooMuch(queues[queue]) { giveUpFirstHole(step, into: &output) }
    }

    func isTooMuch(_ queue: PendingQueue) -> Bool {
        queue.byteCount > limits.pendingBytesPerConnection || queue.pieces.count > ConnectionTracker.pendingPieces
            || pendingBytes > limits.pendingBytes
    }

    /// Hands on what waits and is in order now.
    mutating func drain(_ step: Step, into output: inout StreamOutput) {
        let queue = Int(streams[step.stream].pending)
        guard queue >= 0 else { return }
        let before = queues[queue].byteCount
        let pieces = queues[queue].takeContiguous(from: streams[step.stream].next)
        pendingBytes -= before - queues[queue].byteCount
        if queues[queue].start == nil {
            streams[step.stream].pending = -1
            queues[queue] = PendingQueue()
            freeQueues.append(Int32(queue))
        }
        for piece in pieces { deliver(piece, step, into: &output) }
        if !pieces.isEmpty { streams[step.stream].patience = 0 }
        finishIfComplete(step, into: &output)
    }

    mutating func deliver(_ piece: PendingQueue.Piece, _ step: Step, into output: inout StreamOutput) {
        var step = step
        step.packet = piece.packet
        step.time = piece.time
        step.acknowledgement = piece.acknowledgement
        let skipped = streams[step.stream].next.distance(from: piece.sequence)
        // Of two numbers just half the space apart each lies before the other: such a piece is neither due nor to come.
        guard (0..<piece.length).contains(skipped) else { return }
        if piece.bytes.isEmpty {
            declareGap(piece.length - skipped, step, into: &output)
            return
        }
        let count = piece.bytes.count - skipped
        let content = StreamChunk.Content(buffer: output.keep(piece.bytes), start: skipped, count: count)
        output.append(step.chunk(content, streams[step.stream].next))
        connections[step.connection].notePayload(count, from: step.direction)
        streams[step.stream].next = streams[step.stream].next.advanced(by: count)
        streams[step.stream].flags.insert(.hasDelivered)
    }
}
