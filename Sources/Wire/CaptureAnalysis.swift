public import AuthScanBytes
import AuthScanNativeCodecs

/// Stages 1 to 4 in one pass: the bytes of capture files in, connections and HTTP transactions out.
///
/// Begin a file, hand its bytes over in blocks of any size, end it; then the next one, which goes on with the packet
/// numbers and the connections of those before. Memory is bounded by `Limits`, not by the length of the capture.
public struct CaptureAnalysis: ~Copyable {
    var reader: CaptureReader
    var decoder: PacketDecoder
    private var tracker: ConnectionTracker
    private let messages: MessageStage
    private var quic: QUICTraffic
    private var output = StreamOutput()
    private var window: ReorderWindow
    /// Whether a file with several interfaces is read, whose frames need not come in the order of their times.
    var isReordering = false
    /// Segments of the block being read that the tracker has not taken yet.
    private var batch = SegmentBatch()
    var result = WireCapture()
    let limits: Limits

    var path = ""
    private var selection: PacketSelection?
    private var keyLogPath: String?
    private var privateKeyPath: String?
    /// How many blocks of embedded secrets were taken.
    private var secretsTaken = 0
    private var compression: String?
    private var firstFrame = 0
    private var firstTime = Int64.max
    private var lastTime = Int64.min
    private var truncatedPackets = 0
    private var fileBytes = 0
    /// The first bytes of the file, as long as its format is not known.
    private var start: [UInt8] = []

    /// Prepares an analysis that keeps within the limits.
    ///
    /// - Parameters:
    ///   - limits: How much is kept of anything.
    ///   - companion: Who reads the messages while the packets are read: by default whoever reads these.
    public init(limits: Limits = Limits(), companion: Companion = .none) {
        self.limits = limits
        result.places = PacketPlaces(limit: limits.packetRuns)
        reader = CaptureReader(limits: limits)
        decoder = PacketDecoder(limits: limits)
        window = ReorderWindow(limits: limits)
        tracker = ConnectionTracker(limits: limits)
        messages = MessageStage(limits: limits, companion: companion)
        quic = QUICTraffic(limits: limits)
    }

    /// Decrypts TLS with the secrets of a key log, which must be complete before the first file begins.
    ///
    /// - Parameters:
    ///   - keyLog: The log, read to its end.
    ///   - path: Where it comes from, for what is wrong with it.
    public mutating func use(_ keyLog: KeyLog, path: String) {
        messages.withAssembler { $0.material.keyLog = keyLog }
        keyLogPath = path
    }

    /// Decrypts TLS with a server's RSA private key in DER form, as far as cipher suites without forward secrecy allow it.
    ///
    /// - Parameters:
    ///   - der: The key.
    ///   - path: Where it comes from, for what is wrong with it.
    /// - Returns: Whether it is such a key.
    public mutating func use(privateKey der: [UInt8], path: String) -> Bool {
        guard let key = RSAPrivateKey(der: der) else { return false }
        messages.withAssembler { $0.material.privateKeys.append(key) }
        privateKeyPath = path
        return true
    }

    /// Leaves out the packets that a selection does not have, which must be stated before the first file begins.
    public mutating func use(_ selection: PacketSelection) { self.selection = selection }

    /// Starts a file.
    ///
    /// - Parameters:
    ///   - path: The path as the user gave it, for problems and the report.
    ///   - compression: How the file was compressed (`gzip`, `zstd`, `lz4`); `nil` where it was not. The bytes handed over are the
    ///     decompressed ones.
    public mutating func beginFile(path: String, compression: String?) {
        self.path = path
        self.compression = compression
        firstFrame = reader.frames
        fileBytes = 0
        start = []
        decoder.unread = UnreadFrames()
        reader.beginFile(path: path)
    }

    /// Takes the next bytes of the file.
    ///
    /// Throws when the file's first bytes are no capture's; the file is then ended, and nothing of it was kept.
    ///
    /// - Returns: A block whose bytes are not needed any more, to be filled again.
    @discardableResult
    public mutating func receive(_ block: consuming [UInt8]) throws(CaptureError) -> [UInt8] {
        try withBytes(of: block) { (bytes) throws(CaptureError) in try readPackets(in: bytes) }
        guard output.count > 0 else {
            output.removeAll()
            return block
        }
        return handOver(block)
    }

    /// Takes the next bytes of the file, which are read before it returns.
    public mutating func receive(_ block: RawSpan) throws(CaptureError) {
        try readPackets(in: block)
        deliver(in: block)
    }

    private mutating func readPackets(in block: RawSpan) throws(CaptureError) {
        fileBytes += block.byteCount
        if reader.format == .unknown {
            start.append(block.extracting(0..<min(block.byteCount, max(0, 512 - start.count))))
        }
        var position = 0
        while position < block.byteCount, reader.isWaiting {
            position += reader.completeCarriedUnit(from: block.extracting(position..<block.byteCount))
            if let unit = reader.takeCarriedUnit() { readFrames(inCarried: unit) }
            if reader.isForeign { throw notACapture }
        }
        if position < block.byteCount { readFrames(in: block.extracting(position..<block.byteCount), at: position) }
        if reader.isForeign { throw notACapture }
    }

    private var notACapture: CaptureError {
        CaptureError(path: path, reason: .notACapture(looksLike: ForeignContent.name(of: start)))
    }

    /// Ends the file, and says what it lacks in `WireCapture.problems`.
    ///
    /// Throws when there was nothing in it, or too little to be a capture.
    public mutating func endFile() throws(CaptureError) {
        if fileBytes == 0 { throw CaptureError(path: path, reason: .empty) }
        if reader.format == .unknown { throw notACapture }
        reader.endFile()
        releaseHeld(isEnd: true)
        _ = handOver([])
        isReordering = false
        reader.problems += decoder.unread.problems(in: path)
        result.files.append(
            CaptureFileSummary(
                path: path,
                format: reader.formatName,
                compression: compression,
                packets: reader.frames - firstFrame,
                bytes: fileBytes
            )
        )
    }

    /// Notes a problem that lies outside the capture format, such as damaged compression.
    public mutating func note(_ kind: CaptureProblem.Kind, _ message: String) {
        reader.problems.append(
            CaptureProblem(kind: kind, file: path, packet: reader.frames + 1, offset: fileBytes, message: message)
        )
    }

    /// Ends the analysis and hands over everything that was found.
    public mutating func finish() -> WireCapture {
        finishPackets()
        result.packets = reader.frames
        result.selection = selection?.summary
        result.firstTime = firstTime <= lastTime ? Timestamp(nanoseconds: firstTime) : nil
        result.lastTime = firstTime <= lastTime ? Timestamp(nanoseconds: lastTime) : nil
        noteEmptySelection()
        result.problems = reader.problems
        result.truncatedPackets = truncatedPackets
        result.processes = reader.processes.processes
        result.embeddedSecrets = reader.secrets
        result.quicConnections = quic.connections
        finishMessages()
        return result
    }

    /// Gives up what waits for packets that will not come.
    private mutating func finishPackets() {
        releaseHeld(isEnd: true)
        // What is left of fragmented datagrams lies in buffers of its own.
        if case .found = decoder.finish() { receiveFound(in: RawSpan()) }
        noteIncompleteDatagrams()
        for index in tracker.connections.indices {
            tracker.finish(index, into: &output)
            // What still waits lies in buffers of its own: there is no frame any more.
            if output.count >= CaptureAnalysis.chunksAtEnd { _ = handOver([]) }
        }
        _ = handOver([])
    }

    /// How many chunks are handed over together when the capture is over.
    private static let chunksAtEnd = 4096

    private mutating func finishMessages() {
        result.connections = tracker.finishConnections(messages.withAssembler { $0.takeContents() })
        let messages = messages
        messages.withAssembler { assembler in
            result.transactions = assembler.finish()
            result.transactionsLeftOut = assembler.transactionsLeftOut
            result.kdcRecords = assembler.kdc.finish(adding: assembler.kdcBodies.finish(result.connections))
            result.tlsConnections = assembler.tlsConnections.sorted {
                ($0.connection, $0.firstPacket) < ($1.connection, $1.firstPacket)
            }
            result.http2Connections = assembler.http2Connections.sorted { $0.connection < $1.connection }
            noteKeys(assembler.material)
            noteLimits(assembler)
        }
    }
}

// MARK: - Packets

extension CaptureAnalysis {
    /// Reads the frames of what lies at `start` in the block, or in the buffer, that the output's chunks point to.
    private mutating func readFrames(in block: RawSpan, at start: Int) {
        var position = 0
        while true {
            readUsualFrames(in: block, at: start, &position)
            guard let frame = reader.nextFrame(in: block, at: &position) else { break }
            if reader.interfaces.count > 1 { isReordering = true }
            block.prefetch(position..<(position &+ CaptureAnalysis.headerBytes))
            take(frame, in: block, at: start)
        }
        track(in: block)
        reader.advance(by: position)
        if position < block.byteCount { reader.carry(block.extracting(position..<block.byteCount)) }
    }

    /// Reads the frames of the usual kind at `position`, which moves behind them.
    private mutating func readUsualFrames(in block: RawSpan, at start: Int, _ position: inout Int) {
        guard selection == nil, !isReordering, reader.secrets.blocks.count == secretsTaken,
            var usual = UsualFrames(reader, at: position, blockStart: start, times: (firstTime, lastTime))
        else { return }
        usual.read(block, into: &batch)
        while batch.isFull {
            track(in: block)
            usual.read(block, into: &batch)
        }
        position = usual.position
        reader.frames = usual.frames
        reader.latestTime = Timestamp(nanoseconds: usual.latestTime)
        (firstTime, lastTime) = (usual.firstTime, usual.lastTime)
    }

    /// How many bytes hold the headers of most frames, that of the capture format included.
    private static let headerBytes = 80

    /// Reads the frames of a unit whose bytes came in several blocks.
    private mutating func readFrames(inCarried unit: [UInt8]) {
        output.source.buffer = output.keep(unit)
        withBytes(of: unit) { readFrames(in: $0, at: 0) }
        output.source.buffer = -1
    }

    /// Adds the TLS key logs that the file brought along to what is decrypted with.
    private mutating func takeEmbeddedSecrets() {
        for block in reader.secrets.blocks[secretsTaken...] where block.kind == .tlsKeyLog {
            output.append(block.content)
        }
        secretsTaken = reader.secrets.blocks.count
    }

    /// Takes one frame, which lies in a block; `deliver` or `handOver` go on with what it brings.
    @inline(__always)
    mutating func take(_ frame: CapturedFrame, in block: RawSpan, at start: Int = 0) {
        if reader.secrets.blocks.count > secretsTaken {
            track(in: block)
            takeEmbeddedSecrets()
        }
        if isReordering {
            track(in: block)
            window.hold(frame, in: block)
            releaseHeld(isEnd: false)
        } else {
            output.source.start = start &+ frame.start
            decode(frame, in: block)
        }
    }

    /// Goes on with the frames that were held back long enough.
    private mutating func releaseHeld(isEnd: Bool) {
        let source = output.source
        while let held = window.next(isEnd: isEnd) {
            let count = output.count
            output.source = (output.keep(held.bytes), 0)
            withBytes(of: held.bytes) {
                decode(held.frame, in: $0)
                track(in: $0)
            }
            if output.count > count { continue }
            output.forgetBuffer(output.source.buffer)
            window.recycle(held)
        }
        output.source = source
    }

    @inline(__always)
    private mutating func decode(_ frame: CapturedFrame, in block: RawSpan) {
        let bytes = block.extracting(frame.start..<(frame.start &+ frame.count))
        if selection != nil, !isSelected(frame, bytes) { return }
        firstTime = min(firstTime, frame.time.nanoseconds)
        lastTime = max(lastTime, frame.time.nanoseconds)
        if frame.count < frame.originalLength { truncatedPackets += 1 }
        switch CaptureAnalysis.decode(bytes, of: frame, with: &decoder, into: &batch, &reader.processes) {
        case .nothing: return
        case .segment:
            batch.append(nextOf: frame, at: output.source.start)
            if batch.isFull { track(in: block) }
        case .found:
            track(in: block)
            receiveFound(in: bytes)
        }
    }

    /// Decodes a frame; a segment in place is filled in behind those that wait.
    @inline(__always)
    private static func decode(
        _ bytes: RawSpan,
        of frame: CapturedFrame,
        with decoder: inout PacketDecoder,
        into batch: inout SegmentBatch,
        _ processes: inout ProcessTable
    ) -> PacketDecoder.Content {
        batch.fillNext { decoder.decode(bytes, of: frame, into: &$0, &processes) }
    }

    /// Lets the tracker take the segments that wait, whose frames lie in a block.
    private mutating func track(in block: RawSpan) {
        if batch.count == 0 { return }
        tracker.lookUp(&batch)
        let start = output.source.start
        var index = tracker.receiveUsual(batch, from: 0, into: &output)
        while index < batch.count {
            let entry = batch.entries[index]
            output.source.start = entry.start
            let frame = block.extracting(entry.frame)
            tracker.receive(
                entry.segment,
                entry.hash,
                frame: frame,
                packet: entry.packet,
                time: entry.time,
                into: &output
            )
            index = tracker.receiveUsual(batch, from: index + 1, into: &output)
        }
        output.source.start = start
        batch.removeAll()
    }

    /// Whether a packet is to be analysed.
    @inline(never)
    private mutating func isSelected(_ frame: CapturedFrame, _ bytes: RawSpan) -> Bool {
        guard selection?.isInTime(frame) == true else { return false }
        // The capture goes on as long as packets come, whether or not a filter lets them pass: who waits, waits in vain.
        firstTime = min(firstTime, frame.time.nanoseconds)
        lastTime = max(lastTime, frame.time.nanoseconds)
        return selection?.passes(bytes, of: frame, in: path, &reader.problems) == true
    }

    /// Takes the segments that the decoder gathered, in the frame or in buffers of their own.
    private mutating func receiveFound(in frame: RawSpan) {
        let source = output.source
        for index in decoder.found.indices {
            let item = decoder.found[index]
            if item.buffer < 0 {
                output.source = source
                receive(item, in: frame)
            } else {
                let buffer = decoder.buffers[item.buffer]
                output.source = (output.keep(buffer), 0)
                withBytes(of: buffer) { receive(item, in: $0) }
            }
        }
        output.source = source
        decoder.forgetFound()
    }

    private mutating func receive(_ item: PacketDecoder.FoundSegment, in bytes: RawSpan) {
        switch item.kind {
        case .kdcDatagram: output.append(item.segment, in: bytes, packet: item.packet, time: item.time)
        case .quicDatagram: quic.receive(item.segment, in: bytes, packet: item.packet)
        case .segment:
            tracker.receive(
                item.segment,
                tracker.hash(of: item.segment),
                frame: bytes,
                packet: item.packet,
                time: item.time,
                into: &output
            )
        }
    }

    /// Hands what the packets of a block brought to the message side; returns a block to be filled again.
    private mutating func handOver(_ block: consuming [UInt8]) -> [UInt8] {
        var batch = MessageStage.Batch(output: StreamOutput(), block: block)
        swap(&batch.output, &output)
        batch = messages.exchange(batch)
        swap(&batch.output, &output)
        return batch.block
    }

    /// Lets the message side read at once what the packets of a block brought.
    mutating func deliver(in block: RawSpan) {
        track(in: block)
        guard output.count > 0 else { return output.removeAll() }
        messages.read(output, in: block)
        output.removeAll()
    }
}

// MARK: - What was not read

extension CaptureAnalysis {
    /// Datagrams may wait for fragments from one file to the next: only the end tells.
    private mutating func noteIncompleteDatagrams() {
        let (count, first) = decoder.fragments.incomplete
        guard count > 0 else { return }
        reader.problems.append(
            CaptureProblem(
                kind: .incompleteDatagrams,
                file: path,
                packet: first,
                offset: nil,
                message: "fragments of \(count) IP datagrams are missing; what came before them is read"
            )
        )
    }

    private mutating func noteEmptySelection() {
        guard let message = selection?.emptiness(reader.frames) else { return }
        reader.problems.append(
            CaptureProblem(kind: .nothingSelected, file: path, packet: nil, offset: nil, message: message)
        )
    }

    private mutating func noteKeys(_ material: TLSMaterial) {
        if let keyLogPath {
            result.problems += material.keyLog.problems(
                path: keyLogPath,
                handshakes: material.handshakes,
                knownHandshakes: material.knownHandshakes,
                wrongHandshakes: material.wrongHandshakes
            )
        }
        if let privateKeyPath { result.problems += material.privateKeyProblems(path: privateKeyPath) }
    }

    private mutating func noteLimits(_ assembler: TransactionAssembler) {
        let counts = [
            ("connections", limits.connections, tracker.connectionsLeftOut),
            ("transactions", limits.transactions, assembler.transactionsLeftOut),
            ("requests waiting on one connection", limits.pipelineDepth, assembler.requestsLeftOut),
            (
                "messages of key distribution centers", limits.kdcMessages,
                assembler.kdc.recordsBeyondCount + assembler.kdcBodies.beyondCount
            ),
            (
                "bytes of messages of key distribution centers", limits.kdcBytes,
                assembler.kdc.recordsBeyondBytes + assembler.kdcBodies.beyondBytes
            ),
            (
                "bytes of one message of a key distribution center", limits.kdcMessageBytes,
                assembler.kdc.recordsTooLong + assembler.kdcBodies.tooLong
            ),
            ("QUIC connections", limits.quicConnections, quic.packetsLeftOut),
            ("runs of packets of one file", limits.packetRuns, result.places.packetsLeftOut),
            ("gaps", ConnectionTracker.gapLimit, tracker.gapsLeftOut),
            ("bytes of one message head", limits.headBytes, assembler.headsCut),
            ("bytes of one field value", limits.fieldValueBytes, assembler.parser.valuesCut),
        ]
        for (limit, value, leftOut) in counts where leftOut > 0 {
            result.limitsExceeded.append(LimitExceeded(limit: limit, value: value, leftOut: leftOut))
        }
    }
}
