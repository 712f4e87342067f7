/// What stage 3 hands on: the next bytes of one direction of a connection, or that they are missing, or where it ends.
struct StreamChunk {
    /// What there is.
    enum Content {
        /// The connection's pool index was given to a new connection.
        case opened
        /// Bytes: in the frame being read where `buffer` is −1, else in that buffer of the output.
        case bytes(buffer: Int, start: Int, count: Int)
        /// That many bytes are missing from the capture.
        case gap(Int)
        /// The direction ended in order (FIN).
        case finished
        /// Nothing further comes of the whole connection: it closed, its ends were used again, or the capture is over.
        case ended
    }

    var content: Content

    /// The direction of the connection: twice the pool index, plus one for *b*.
    var stream: Int

    /// The connection's index.
    var connection: Int

    /// The packet that brought it.
    var packet: Int

    /// When that packet was captured.
    var time: Timestamp

    /// The sequence number of the first byte.
    var sequence = SequenceNumber()

    /// What the sender had received of the other direction when it sent this.
    var acknowledgement = SequenceNumber()
}

/// The chunks of one packet, in a buffer that is used again and again.
struct StreamOutput {
    /// The chunks, and behind `count` what is left of earlier packets.
    private var chunks: [StreamChunk] = []

    /// How many chunks there are.
    private(set) var count = 0

    /// The bytes of segments that had to wait.
    var buffers: [[UInt8]] = []

    subscript(index: Int) -> StreamChunk { chunks[index] }

    mutating func append(_ chunk: StreamChunk) {
        if count < chunks.count { chunks[count] = chunk } else { chunks.append(chunk) }
        count += 1
    }

    /// Forgets the chunks once they are consumed.
    mutating func removeAll() {
        count = 0
        if !buffers.isEmpty { buffers.removeAll(keepingCapacity: true) }
    }
}
