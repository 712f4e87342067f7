/// Plays a transcript on simulated connections and writes down their packets.
struct ConversationWriter {
    private struct ConnectionState {
        let opening: TranscriptOpening
        var next: [Transcript.Side: UInt32]
        var hasSent: Set<Transcript.Side> = []
        var hasSentFIN: Set<Transcript.Side> = []
        var tls: PlainTLS
    }

    private let style: CaptureStyle
    private var connections: [ConnectionState] = []
    private var segments: [PlannedSegment] = []
    private var messageCount = 0
    private var time: Int64?
    private var pendingWait: Int64?
    private var endTime: Int64?

    init(style: CaptureStyle) { self.style = style }

    /// Plays one step.
    mutating func write(_ step: TranscriptStep) {
        switch step {
        case .open(let opening): open(opening)
        case .message(let message): send(message)
        case .handshake(let connection): send(connections[connection - 1].tls.anotherHandshake(), on: connection - 1)
        case .wait(let duration): pendingWait = (pendingWait ?? 0) + duration
        case .end(let connection, let closing, let side, let isMarked):
            end(connection - 1, closing, by: side, isMarked: isMarked)
        case .datagram(let datagram): emit(datagram)
        case .endWait(let duration): endTime = (time ?? start) + (pendingWait ?? 0) + duration
        }
    }

    private var start: Int64 { Int64(Transcript.startSeconds) * 1_000_000_000 }

    private mutating func open(_ opening: TranscriptOpening) {
        let index = connections.count
        // Half of 2³² apart and further on with each connection; or 100 bytes, less than any request, below the wrap.
        let client = style.wrapsSequenceNumbers ? UInt32.max - 100 : 1_000_000 &* UInt32(index + 1)
        let server = style.wrapsSequenceNumbers ? UInt32.max - 10 : client &+ 0x8000_0000
        connections.append(
            ConnectionState(
                opening: opening,
                next: [.client: client, .server: server],
                tls: PlainTLS(number: opening.number, opening.tls)
            )
        )
        switch opening.handshake {
        case .beforeCapture: break
        case .complete:
            emit(index, .client, .syn, isMarked: opening.isMarked)
            emit(index, .server, [.syn, .ack])
            emit(index, .client, .ack)
            if opening.isTLS { send(connections[index].tls.handshake(), on: index) }
        case .refused:
            emit(index, .client, .syn, isMarked: opening.isMarked)
            emit(index, .server, [.rst, .ack])
        case .unanswered: emit(index, .client, .syn, isMarked: opening.isMarked)
        }
    }

    /// The flights of a TLS handshake, a packet each.
    private mutating func send(_ flights: [PlainTLS.Flight], on index: Int) {
        for flight in flights {
            messageCount += 1
            emit(index, flight.side, [.psh, .ack], payload: flight.bytes)
        }
    }

    /// The message as it is on the wire: where it is in TLS, the head in records of its own.
    private mutating func wireForm(of message: Transcript.Message) -> (bytes: [UInt8], headLength: Int) {
        let index = message.connection - 1
        guard connections[index].opening.isTLS else { return (message.bytes, message.headLength) }
        let type = message.contentType
        let head = connections[index].tls.records(of: Array(message.bytes.prefix(message.headLength)), type: type)
        let rest = connections[index].tls.records(of: Array(message.bytes.dropFirst(message.headLength)), type: type)
        return (head + rest, head.count)
    }

    private mutating func send(_ message: Transcript.Message) {
        messageCount += 1
        let (bytes, wholeHead) = wireForm(of: message)
        // IPv4's 16-bit length leaves room for 65,495 bytes.
        let limit = 60_000
        let index = message.connection - 1
        for offset in stride(from: 0, to: bytes.count, by: limit) {
            let payload = Array(bytes[offset..<min(offset + limit, bytes.count)])
            let head = wholeHead - offset
            let headLength = head > 0 && head <= payload.count ? head : nil
            emit(
                index,
                message.side,
                [.psh, .ack],
                payload: payload,
                headLength: headLength,
                isMarked: message.isMarked && headLength != nil,
                isCaptured: !message.isLost
            )
        }
        if !message.isLost { connections[index].hasSent.insert(message.side) }
    }

    private mutating func end(_ index: Int, _ closing: TranscriptClosing, by side: Transcript.Side, isMarked: Bool) {
        if closing == .reset { return emit(index, side, [.rst, .ack], isMarked: isMarked) }
        emit(index, side, [.fin, .ack], isMarked: isMarked)
        let otherHasClosed = connections[index].hasSentFIN.contains(side.other)
        connections[index].hasSentFIN.insert(side)
        guard closing == .close else { return }
        if otherHasClosed {
            emit(index, side.other, .ack)
        } else {
            emit(index, side.other, [.fin, .ack])
            emit(index, side, .ack)
        }
    }

    /// The moment of the next packet.
    private mutating func nextTime() -> Int64 {
        let now = time.map { $0 + (pendingWait ?? 10_000_000) } ?? start + (pendingWait ?? 0)
        time = now
        pendingWait = nil
        return now
    }

    private mutating func emit(_ datagram: TranscriptDatagram) {
        segments.append(
            PlannedSegment(
                time: nextTime(),
                connection: -1,
                side: .client,
                sequence: 0,
                acknowledgment: 0,
                flags: [],
                payload: [],
                message: nil,
                headLength: nil,
                isMarked: datagram.isMarked,
                isMovable: false,
                datagram: datagram
            )
        )
    }

    private mutating func emit(
        _ index: Int,
        _ side: Transcript.Side,
        _ flags: TCPFlags,
        payload: [UInt8] = [],
        headLength: Int? = nil,
        isMarked: Bool = false,
        isCaptured: Bool = true
    ) {
        let now = nextTime()
        let state = connections[index]
        let sequence = state.next[side, default: 0]
        let length = UInt32(payload.count) + (flags.isDisjoint(with: [.syn, .fin]) ? 0 : 1)
        connections[index].next[side] = sequence &+ length
        guard isCaptured, (state.opening.onlySide ?? side) == side else { return }
        segments.append(
            PlannedSegment(
                time: now,
                connection: index,
                side: side,
                sequence: sequence,
                acknowledgment: flags.contains(.ack) ? state.next[side.other, default: 0] : 0,
                flags: flags,
                payload: payload,
                message: payload.isEmpty ? nil : messageCount,
                headLength: headLength,
                isMarked: isMarked,
                isMovable: state.opening.handshake == .complete || state.hasSent.contains(side)
            )
        )
    }
}

// MARK: - Packets

extension ConversationWriter {
    /// The capture of all that was played.
    consuming func finish() -> GeneratedCapture {
        var segments = segments
        if let seed = style.resegmentationSeed { segments = segments.resegmented(seed: seed) }
        if let seed = style.reorderingSeed { segments = segments.reordered(seed: seed) }
        if let seed = style.retransmissionSeed { segments = segments.retransmitted(seed: seed) }

        let hasTap = connections.contains { $0.opening.process != nil }
        var capture = CaptureBuilder(
            style.format,
            linkType: hasTap ? PacketTap.linkType : 1,
            snapshotLength: style.snapshotLength
        )
        let rawInterface = connections.contains { $0.opening.isRaw } ? capture.addInterface(linkType: 101) : 0
        let frames = FrameBuilder(vlan: style.vlan)
        if style.followsUnrelatedTraffic {
            for (index, frame) in unrelatedFrames(frames).enumerated() {
                capture.add(frame, at: start - 1_000_000_000 + Int64(index) * 10_000_000)
            }
        }
        var markedPackets: [Int] = []
        for segment in segments {
            if segment.isMarked { markedPackets.append(capture.packetCount + 1) }
            if let datagram = segment.datagram {
                let frame = frames.udp(
                    from: place(datagram.source),
                    to: place(datagram.destination),
                    payload: datagram.payload
                )
                capture.add(hasTap ? tapped(frame, .client, nil) : frame, at: segment.time)
                continue
            }
            let frame = frame(of: segment, frames, number: capture.packetCount)
            let opening = connections[segment.connection].opening
            if opening.isRaw {
                capture.add(Array(frame.dropFirst(14)), at: segment.time, interface: rawInterface)
            } else {
                capture.add(hasTap ? tapped(frame, segment.side, opening) : frame, at: segment.time)
            }
        }
        if let endTime {
            let frame = unrelatedDatagram(frames)
            capture.add(hasTap ? tapped(frame, .client, nil) : frame, at: endTime)
        }
        return GeneratedCapture(
            bytes: capture.bytes,
            markedPackets: markedPackets,
            packetCount: capture.packetCount
        )
    }

    /// The frame behind the packet tap's header; packets of the kernel itself have no process.
    private func tapped(_ frame: [UInt8], _ side: Transcript.Side, _ opening: TranscriptOpening?) -> [UInt8] {
        let own = opening?.process?.own ?? TranscriptProcess.Identity(name: "", id: -1)
        let effective = opening?.process?.effective ?? own
        return PacketTap.frame(
            frame,
            isOutgoing: side == .client,
            process: PacketTap.Process(name: own.name, id: own.id),
            effective: PacketTap.Process(name: effective.name, id: effective.id)
        )
    }

    private func frame(of segment: PlannedSegment, _ frames: FrameBuilder, number: Int) -> [UInt8] {
        let opening = connections[segment.connection].opening
        let isFromClient = segment.side == .client
        let maximumSegmentSize: [UInt8] = [2, 4, 0x05, style.isIPv6 ? 0xA0 : 0xB4]
        return frames.tcp(
            from: place(isFromClient ? opening.client : opening.server),
            to: place(isFromClient ? opening.server : opening.client),
            sequence: segment.sequence,
            acknowledgment: segment.acknowledgment,
            flags: segment.flags,
            options: segment.flags.contains(.syn) ? maximumSegmentSize : [],
            payload: segment.payload,
            identification: UInt16(truncatingIfNeeded: number + 1)
        )
    }

    private func place(_ endpoint: HostEndpoint) -> HostEndpoint { style.isIPv6 ? endpoint.overIPv6 : endpoint }

    /// A datagram to the Discard Protocol's port.
    private func unrelatedDatagram(_ frames: FrameBuilder) -> [UInt8] {
        frames.udp(
            from: place(HostEndpoint(HostAddress(192, 0, 2, 77), port: 40009)),
            to: place(HostEndpoint(HostAddress(198, 51, 100, 99), port: 9)),
            payload: Array("nothing to do with HTTP".utf8)
        )
    }

    /// An ARP request, a datagram, and a connection on which SSH versions are exchanged.
    private func unrelatedFrames(_ frames: FrameBuilder) -> [[UInt8]] {
        let client = HostEndpoint(HostAddress(192, 0, 2, 77), port: 40022)
        let server = HostEndpoint(HostAddress(198, 51, 100, 99), port: 22)
        // RFC 826: Ethernet, IPv4, address lengths, request; then sender and target.
        let request =
            [0, 1, 8, 0, 6, 4, 0, 1] + client.address.ethernetAddress + client.address.bytes
            + [UInt8](repeating: 0, count: 6) + server.address.bytes
        let arp = frames.ethernet(
            from: client.address.ethernetAddress,
            to: [UInt8](repeating: 0xFF, count: 6),
            etherType: 0x0806,
            payload: request
        )
        let version = Array("SSH-2.0-OpenSSH_9.6\r\n".utf8)
        let length = UInt32(version.count)
        let exchange: [(Transcript.Side, UInt32, UInt32, TCPFlags, [UInt8])] = [
            (.client, 100, 0, .syn, []), (.server, 900, 101, [.syn, .ack], []), (.client, 101, 901, .ack, []),
            (.server, 901, 101, [.psh, .ack], version), (.client, 101, 901 + length, [.psh, .ack], version),
            (.server, 901 + length, 101 + length, [.rst, .ack], []),
        ]
        return [arp, unrelatedDatagram(frames)]
            + exchange.map { side, sequence, acknowledgment, flags, payload in
                frames.tcp(
                    from: place(side == .client ? client : server),
                    to: place(side == .client ? server : client),
                    sequence: sequence,
                    acknowledgment: acknowledgment,
                    flags: flags,
                    payload: payload
                )
            }
    }
}
