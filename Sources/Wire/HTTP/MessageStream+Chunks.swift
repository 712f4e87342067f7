// What frames the chunks of a body, byte by byte.
//
// - Source: RFC 9112 §7.1.
extension MessageStream {
    /// What a byte that frames chunks brings.
    enum ChunkFraming {
        /// More of the message.
        case continues
        /// The end of the message.
        case ended
        /// The byte cannot stand there.
        case broken
    }

    /// Whether the next byte belongs to what frames the chunks of a body.
    var isInChunkFraming: Bool {
        mode == .chunkSize || mode == .chunkExtension || mode == .chunkEnd || mode == .trailers
    }

    /// The next byte begins a chunk-size line.
    mutating func beginChunkSize() {
        mode = .chunkSize
        remaining = 0
        hasDigit = false
    }

    /// Reads a byte that frames chunks; there must be one to come.
    mutating func readChunkFraming(_ byte: UInt8) -> ChunkFraming {
        switch mode {
        case .chunkSize: return readChunkSize(byte)
        case .chunkExtension: if byte == 0x0A { beginChunk() }
        case .chunkEnd:
            if byte == 0x0A { beginChunkSize() } else if byte != 0x0D { return .broken }
        default: return readTrailer(byte)
        }
        return .continues
    }

    private mutating func readChunkSize(_ byte: UInt8) -> ChunkFraming {
        if let digit = MessageStream.hexadecimalDigit(byte) {
            guard remaining < 1 << 56 else { return .broken }
            remaining = remaining << 4 | digit
            hasDigit = true
        } else if !hasDigit {
            return .broken
        } else if byte == 0x0A {
            beginChunk()
        } else if byte == 0x0D || byte == 0x3B || byte == 0x20 || byte == 0x09 {
            mode = .chunkExtension
        } else {
            return .broken
        }
        return .continues
    }

    private static func hexadecimalDigit(_ byte: UInt8) -> Int? {
        if StartLine.isDigit(byte) { return Int(byte &- 0x30) }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? Int(letter) + 10 : nil
    }

    private mutating func beginChunk() { mode = remaining == 0 ? .trailers : .chunkData }

    /// The trailer section ends with an empty line.
    private mutating func readTrailer(_ byte: UInt8) -> ChunkFraming {
        if byte == 0x0A {
            if remaining == 0 { return .ended }
            remaining = 0
        } else if byte != 0x0D {
            remaining += 1
        }
        return .continues
    }
}
