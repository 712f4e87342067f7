/// How decompression failed.
public enum DecompressionFailure: Error, Hashable, Sendable {
    /// The data contradict their format or their check sum; the text is the library's own.
    case damaged(String)
    /// The library could not get the memory that it needs.
    case outOfMemory
}

/// What one step of decompression did.
public struct DecompressionStep {
    /// How many bytes of the input it took.
    public var consumed: Int

    /// What came out.
    public var output: ArraySlice<UInt8>

    /// What was wrong behind that; nothing further comes then.
    public var failure: DecompressionFailure?
}

/// Decompresses data piece by piece.
///
/// The data may consist of several parts, each complete in itself, one after the other; they are decompressed as one.
public protocol Decompressor: AnyObject {
    /// Whether the data seen so far end where a part ends.
    var isAtEnd: Bool { get }

    /// How many bytes come out of a step, at most.
    var outputSize: Int { get }

    /// Decompresses the next piece of the data, from `start` on, as far as the output has room.
    ///
    /// There may be more to come out where the output is full, although the input is at its end.
    func step(_ input: [UInt8], from start: Int) -> DecompressionStep
}

extension Decompressor {
    /// Decompresses a piece of the data, and hands what comes out to `body`, in one or more parts.
    ///
    /// Throws at the first damage; everything before it has been handed over.
    public func decompress<Thrown: Error>(
        _ input: [UInt8],
        body: (ArraySlice<UInt8>) throws(Thrown) -> Void
    ) throws {
        var consumed = 0
        var isFull = false
        while consumed < input.count || isFull {
            let step = step(input, from: consumed)
            consumed += step.consumed
            isFull = step.output.count == outputSize
            if !step.output.isEmpty { try body(step.output) }
            if let failure = step.failure { throw failure }
            if step.consumed == 0, step.output.isEmpty { return }
        }
    }
}

/// A compressed form that files are recognised by.
public enum CompressionFormat: String, CaseIterable, Sendable {
    /// RFC 1952.
    case gzip
    /// RFC 8878.
    case zstd
    /// The LZ4 frame format.
    case lz4

    /// The form of data that start with these bytes; `nil` where they are of none.
    ///
    /// - Source: RFC 1952 §2.3.1; RFC 8878 §3.1.1; "LZ4 Frame Format Description", version 1.6.3.
    public init?(start: [UInt8]) {
        let form = CompressionFormat.allCases.first { start.starts(with: $0.magic) }
        guard let form else { return nil }
        self = form
    }

    private var magic: [UInt8] {
        switch self {
        case .gzip: [0x1F, 0x8B]
        case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
        case .lz4: [0x04, 0x22, 0x4D, 0x18]
        }
    }

    /// What decompresses it, in steps of `outputSize` bytes.
    public func decompressor(outputSize: Int = 1 << 18) throws(DecompressionFailure) -> any Decompressor {
        switch self {
        case .gzip: try Inflater(outputSize: outputSize)
        case .zstd: try ZstandardDecompressor(outputSize: outputSize)
        case .lz4: try LZ4Decompressor(outputSize: outputSize)
        }
    }
}
