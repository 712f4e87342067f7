import AuthScanBytes

extension TransactionAssembler {
    /// For how many chunks something is looked up at once.
    static let chunksLookedUp = 16
    /// How many bytes of what must be read are looked up: most of a head.
    private static let bytesLookedUp = 512
    /// How many bytes come into the cache together, at least.
    private static let cacheLine = 64

    /// Looks up what the next chunks will need, so that it lies in the cache when they are read; see `SegmentBatch`.
    ///
    /// Each step depends on the one before, the chunks do not depend on one another.
    mutating func lookUp(_ output: borrowing StreamOutput, from start: Int, in block: RawSpan) {
        let range = start..<min(start + TransactionAssembler.chunksLookedUp, output.count)
        // The streams of connections that a chunk of these opens are not there yet.
        for index in range where output.stream(index) < streams.count {
            lookedUp &+= UInt64(streams[output.stream(index)].mode.rawValue)
        }
        for index in range where output.stream(index) < streams.count { lookUp(output, index, in: block) }
        for index in range where output.stream(index) < streams.count { lookUpAnswered(output.stream(index)) }
    }

    /// Looks up the transaction whose body goes on, or the first byte of what must be read, and which request is next.
    private mutating func lookUp(_ output: borrowing StreamOutput, _ index: Int, in block: RawSpan) {
        let stream = output.stream(index)
        switch streams[stream].mode {
        case .body, .chunkData, .untilClose:
            let transaction = Int(streams[stream].transaction)
            if transaction >= 0 { lookedUp &+= transactions[transaction].spread }
        case .start, .head, .chunkSize, .chunkExtension, .chunkEnd, .trailers, .secured:
            let bytes = output.placeInBlock(index).prefix(TransactionAssembler.bytesLookedUp)
            for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: TransactionAssembler.cacheLine) {
                lookedUp &+= UInt64(block.byte(place))
            }
            lookedUp &+= UInt64(pairings[stream >> 1].count)
        case .resync, .opaque, .http2, .kdc: break
        }
    }

    /// Looks up the transaction that a message would complete which begins now.
    private mutating func lookUpAnswered(_ stream: Int) {
        guard streams[stream].mode == .start, streams[stream].kind == .responses,
            let request = pairings[stream >> 1].next(in: waiting), request.transaction >= 0
        else { return }
        lookedUp &+= transactions[Int(request.transaction)].spread
    }
}
