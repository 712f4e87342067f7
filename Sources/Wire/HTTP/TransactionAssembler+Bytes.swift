import AuthScanNativeCodecs

extension TransactionAssembler {
    @inline(__always)
    mutating func consume(_ bytes: RawSpan, _ chunk: StreamChunk) {
        let stream = chunk.stream
        var position = 0
        while position < bytes.byteCount {
            switch streams[stream].mode {
            case .body: passBody(bytes, at: &position, chunk)
            case .chunkData: passChunkData(bytes, at: &position, chunk)
            case .start: begin(bytes, at: &position, chunk)
            case .head: continueHead(bytes, at: &position, chunk)
            case .chunkSize, .chunkExtension, .chunkEnd, .trailers: readChunkFraming(bytes, at: &position, chunk)
            case .untilClose: passUntilClose(bytes, at: &position, chunk)
            case .resync: resynchronise(bytes, at: &position, chunk)
            case .secured: readSecured(bytes, at: &position, chunk)
            case .http2: readHTTP2(bytes, at: &position, chunk)
            case .kdc: return kdc.receive(bytes.extracting(position..<bytes.byteCount), chunk)
            case .opaque: return
            }
        }
    }

    /// Notes bytes of a body beside its message.
    @inline(__always)
    mutating func noteBody(_ count: Int, _ chunk: StreamChunk) {
        noteBody(count, of: streams[chunk.stream].transaction, chunk)
    }

    @inline(__always)
    private mutating func noteBody(_ count: Int, of transaction: Int32, _ chunk: StreamChunk) {
        guard transaction >= 0 else { return }
        let isResponse = streams[chunk.stream].kind == .responses
        transactions[Int(transaction)].noteBody(count, chunk.packet, chunk.time, ofResponse: isResponse)
    }

    @inline(__always)
    private mutating func passBody(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) {
        let stream = chunk.stream
        let count = min(streams[stream].remaining, bytes.byteCount - position)
        if !kdcBodies.isEmpty { keepBody(bytes.extracting(position..<(position + count)), stream) }
        position += count
        streams[stream].remaining -= count
        noteBody(count, chunk)
        if streams[stream].remaining == 0 { endMessage(stream, isComplete: true) }
    }

    @inline(__always)
    private mutating func passChunkData(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) {
        let stream = chunk.stream
        let count = min(streams[stream].remaining, bytes.byteCount - position)
        if !kdcBodies.isEmpty { keepBody(bytes.extracting(position..<(position + count)), stream) }
        position += count
        streams[stream].remaining -= count
        noteBody(count, chunk)
        if streams[stream].remaining == 0 { streams[stream].mode = .chunkEnd }
    }

    private mutating func passUntilClose(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) {
        if !kdcBodies.isEmpty { keepBody(bytes.extracting(position..<bytes.byteCount), chunk.stream) }
        noteBody(bytes.byteCount - position, chunk)
        position = bytes.byteCount
    }

    /// The bytes that frame the chunks, up to the next chunk's data or the end of the message.
    ///
    /// - Source: RFC 9112 §7.1.
    private mutating func readChunkFraming(_ bytes: RawSpan, at position: inout Int, _ chunk: StreamChunk) {
        let stream = chunk.stream
        var state = streams[stream]
        let start = position
        var outcome = MessageStream.ChunkFraming.continues
        while position < bytes.byteCount, state.isInChunkFraming, outcome == .continues {
            outcome = state.readChunkFraming(bytes.byte(position))
            position &+= 1
        }
        streams[stream] = state
        switch outcome {
        case .continues: break
        case .ended: endMessage(stream, isComplete: true)
        case .broken: loseTrack(stream)
        }
        // The message may have ended with the last of them, in order or not.
        noteBody(position - start, of: state.transaction, chunk)
    }

    /// Looks for a start line: at the start of the packet, and at the start of each line for the kind that is known.
    mutating func resynchronise(
        _ bytes: RawSpan,
        at position: inout Int,
        _ chunk: StreamChunk
    ) {
        var start = position
        while start < bytes.byteCount {
            let opening = mayBegin(bytes, at: start, chunk.stream) ? StartLine.opening(bytes, from: start) : .other
            switch opening {
            case .request where streams[chunk.stream].kind != .responses,
                .response where streams[chunk.stream].kind != .requests:
                position = start
                streams[chunk.stream].mode = .start
                return
            case .tls where streams[chunk.stream].kind == .unknown && start == 0:
                return beginTLS(chunk)
            case .other where start == 0 && beginHTTP2Midstream(bytes, chunk): return
            default: break
            }
            guard streams[chunk.stream].kind != .unknown, let lineFeed = bytes.firstIndex(of: 0x0A, from: start)
            else { break }
            start = lineFeed + 1
        }
        position = bytes.byteCount
    }

    /// A cheap look at the first byte: inside a packet, `H` of a status line or a capital letter of a method.
    func mayBegin(_ bytes: RawSpan, at start: Int, _ stream: Int) -> Bool {
        if start == 0 { return true }
        let byte = bytes.byte(start)
        return streams[stream].kind == .responses ? byte == 0x48 : byte &- 0x41 < 26
    }
}
