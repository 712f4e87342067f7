import AuthScanBytes

/// One of several files that are read as one capture: how far it was read, and its next frame.
struct MergedFile {
    let path: String
    /// Its number among the places of packets.
    private let number: Int
    private let compression: String?
    private var reader: CaptureReader
    /// The bytes that were received and not yet consumed start at `position`.
    private var block: [UInt8] = []
    private var position = 0
    private var start: [UInt8] = []
    private var bytes = 0
    private var packets = 0

    /// The next frame, where it was received whole; it lies in `block`.
    private(set) var next: CapturedFrame?
    /// What of it was not read so far.
    var unread = UnreadFrames()

    init(path: String, number: Int, compression: String?, limits: Limits) {
        self.path = path
        self.number = number
        self.compression = compression
        reader = CaptureReader(limits: limits)
        reader.beginFile(path: path)
    }

    /// Takes the next bytes of the file; throws where its first bytes are no capture's.
    mutating func receive(_ new: [UInt8]) throws(CaptureError) {
        bytes += new.count
        if reader.format == .unknown { start += new.prefix(max(0, 512 - start.count)) }
        reader.advance(by: position)
        let skipped = withBytes(of: new) { reader.isWaiting ? reader.completeCarriedUnit(from: $0) : 0 }
        if position == block.count {
            block = skipped == 0 ? new : Array(new.dropFirst(skipped))
        } else {
            block.removeFirst(position)
            block += new.dropFirst(skipped)
        }
        position = 0
        findNext()
        if reader.isForeign { throw notACapture }
    }

    private var notACapture: CaptureError {
        CaptureError(path: path, reason: .notACapture(looksLike: ForeignContent.name(of: start)))
    }

    /// Reads up to the next frame.
    private mutating func findNext() {
        let block = block
        next = withBytes(of: block) { reader.nextFrame(in: $0, at: &position) }
    }

    /// Hands the frames up to a moment on, as far as they were received.
    mutating func take(upTo limit: Timestamp, into analysis: inout CaptureAnalysis) {
        swap(&unread, &analysis.decoder.unread)
        while var frame = next, frame.time <= limit {
            // Secrets come before the packets that need them.
            if !reader.secrets.blocks.isEmpty { handOverSecrets(to: &analysis) }
            analysis.reader.frames += 1
            packets += 1
            analysis.result.places.note(analysis.reader.frames, file: number, packet: frame.number)
            frame.number = analysis.reader.frames
            frame.process = number(of: frame, in: &analysis)
            let taken = frame
            if reader.interfaces.count > 1 { analysis.isReordering = true }
            withBytes(of: block) { analysis.take(taken, in: $0) }
            findNext()
        }
        withBytes(of: block) { analysis.deliver(in: $0) }
        swap(&unread, &analysis.decoder.unread)
        handOver(to: &analysis)
    }

    /// The number in the capture's own table of the process that a frame's file names.
    private func number(of frame: CapturedFrame, in analysis: inout CaptureAnalysis) -> UInt32 {
        let index = Int(frame.process) - 1
        guard reader.processes.processes.indices.contains(index) else { return 0 }
        return analysis.reader.processes.number(of: reader.processes.processes[index])
    }

    /// Hands problems and secrets on; a problem's packet is the one that comes next in the whole capture.
    private mutating func handOver(to analysis: inout CaptureAnalysis) {
        for var problem in reader.problems {
            if problem.packet != nil { problem.packet = analysis.reader.frames + 1 }
            analysis.reader.problems.append(problem)
        }
        reader.problems = []
        handOverSecrets(to: &analysis)
    }

    private mutating func handOverSecrets(to analysis: inout CaptureAnalysis) {
        analysis.reader.secrets.blocks += reader.secrets.blocks
        analysis.reader.secrets.blocksLeftOut += reader.secrets.blocksLeftOut
        reader.secrets = EmbeddedSecrets()
    }

    /// Notes a problem that lies outside of the capture format.
    mutating func note(_ kind: CaptureProblem.Kind, _ message: String) {
        reader.problems.append(CaptureProblem(kind: kind, file: path, packet: 0, offset: bytes, message: message))
    }

    /// Says what the ended file lacks; throws where it is none.
    mutating func end(into analysis: inout CaptureAnalysis) throws(CaptureError) {
        if bytes == 0 { throw CaptureError(path: path, reason: .empty) }
        if reader.format == .unknown { throw notACapture }
        reader.advance(by: position)
        if position < block.count {
            let rest = Array(block[position...])
            withBytes(of: rest) { reader.carry($0) }
        }
        reader.endFile()
        handOver(to: &analysis)
        analysis.reader.problems += unread.problems(in: path)
        block = []
    }

    /// The file as far as it was read.
    var summary: CaptureFileSummary {
        CaptureFileSummary(
            path: path,
            format: reader.formatName,
            compression: compression,
            packets: packets,
            bytes: bytes
        )
    }
}
