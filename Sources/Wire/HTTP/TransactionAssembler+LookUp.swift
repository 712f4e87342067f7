import AuthScanBytes
import AuthScanNativeCodecs

extension TransactionAssembler {
    /// For how many chunks something is looked up at once.
    static let chunksLookedUp = 16
    /// How many bytes of what must be read are asked for: most of a head.
    private static let headBytes = 512

    /// Asks for what the next chunks will need, so that none of them waits for its own when it is read; see `SegmentBatch`.
    ///
    /// Each step depends on the one before, the chunks do not depend on one another.
    func lookUp(_ output: borrowing StreamOutput, from start: Int, in block: RawSpan) {
        let range = start..<min(start + TransactionAssembler.chunksLookedUp, output.count)
        for index in range { streams.prefetch(output.stream(index)) }
        // The streams of connections that a chunk of these opens are not there yet.
        for index in range where output.stream(index) < streams.count { lookUp(output, index, in: block) }
        for index in range where output.stream(index) < streams.count { lookUpAnswered(output.stream(index)) }
    }

    /// Asks for the transaction whose body goes on, or for the bytes that must be read, and which request is next.
    private func lookUp(_ output: borrowing StreamOutput, _ index: Int, in block: RawSpan) {
        let stream = output.stream(index)
        switch streams[stream].mode {
        case .body, .chunkData, .untilClose: transactions.prefetch(Int(streams[stream].transaction))
        case .start, .head, .chunkSize, .chunkExtension, .chunkEnd, .trailers:
            block.prefetch(output.placeInBlock(index).prefix(TransactionAssembler.headBytes))
            pairings.prefetch(stream >> 1)
        case .secured:
            let bytes = output.placeInBlock(index).dropFirst(streams[stream].remaining)
            if bytes.isEmpty { break }
            block.prefetch(bytes.prefix(RecordDecryptor.headerBytes))
            passed.prefetch(passedRecords(of: stream))
        case .resync, .opaque, .http2, .kdc: break
        }
    }

    /// Asks for the transaction that a message would complete which begins now.
    private func lookUpAnswered(_ stream: Int) {
        guard streams[stream].mode == .start, streams[stream].kind == .responses,
            let request = pairings[stream >> 1].next(in: waiting)
        else { return }
        transactions.prefetch(Int(request.transaction))
    }
}
