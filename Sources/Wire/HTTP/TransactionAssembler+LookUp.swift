import AuthScanBytes
import AuthScanNativeCodecs

extension TransactionAssembler {
    /// For how many chunks something is looked up at once.
    static let chunksLookedUp = 16
    /// How many bytes of what must be read are asked for: those behind them come by themselves when they are read in order.
    private static let headBytes = 192

    /// Asks for what the next chunks will need, so that none of them waits for its own when it is read; see `SegmentBatch`.
    ///
    /// A chunk is followed from its stream to its bytes, and to the transaction that it completes. Each step needs what the
    /// one before asked for, and so is made a call later: it is to be called with the start of one stretch after the other.
    func lookUp(_ output: borrowing StreamOutput, from start: Int, in block: RawSpan) {
        if start == 0 {
            lookUpStreams(output, 0)
            lookUpStreams(output, 1)
            lookUpBytes(output, 0, in: block)
        }
        let stretch = start / TransactionAssembler.chunksLookedUp
        lookUpStreams(output, stretch + 2)
        lookUpBytes(output, stretch + 1, in: block)
        for index in chunks(of: output, stretch) { lookUpAnswered(output.stream(index)) }
    }

    private func chunks(of output: borrowing StreamOutput, _ stretch: Int) -> Range<Int> {
        let start = min(stretch * TransactionAssembler.chunksLookedUp, output.count)
        return start..<min(start + TransactionAssembler.chunksLookedUp, output.count)
    }

    private func lookUpStreams(_ output: borrowing StreamOutput, _ stretch: Int) {
        for index in chunks(of: output, stretch) { streams.prefetch(output.stream(index)) }
    }

    private func lookUpBytes(_ output: borrowing StreamOutput, _ stretch: Int, in block: RawSpan) {
        // The streams of connections that a chunk before it opens are not there yet.
        for index in chunks(of: output, stretch) where output.stream(index) < streams.count {
            lookUp(output, index, in: block)
        }
    }

    /// Asks for the transaction whose body goes on, or for the bytes that must be read, and which request is next.
    private func lookUp(_ output: borrowing StreamOutput, _ index: Int, in block: RawSpan) {
        let stream = output.stream(index)
        let state = streams[stream]
        switch state.mode {
        case .body, .chunkData, .untilClose: transactions.prefetch(Int(state.transaction))
        case .start, .head, .chunkSize, .chunkExtension, .chunkEnd, .trailers:
            let start = output.placeInBlock(index).lowerBound
            block.prefetch(start..<(start &+ TransactionAssembler.headBytes))
            pairings.prefetch(stream >> 1)
        case .secured:
            let place = output.placeInBlock(index)
            guard state.remaining < place.count else { break }
            let start = place.lowerBound &+ state.remaining
            block.prefetch(start..<(start &+ RecordDecryptor.headerBytes))
            passed.prefetch(passedRecords(of: stream))
        case .resync, .opaque, .http2, .kdc: break
        }
    }

    /// Asks for the transaction that a message would complete which begins now.
    private func lookUpAnswered(_ stream: Int) {
        guard stream < streams.count, streams[stream].mode == .start, streams[stream].kind == .responses,
            let request = pairings[stream >> 1].next
        else { return }
        transactions.prefetch(Int(request.transaction))
    }
}
