internal import CLibzstd

/// Decompresses Zstandard data piece by piece: the safe face of libzstd's streams.
///
/// A file may consist of several frames one after the other (RFC 8878 §3); they are decompressed as one. A frame whose window
/// is larger than the library's own limit (128 MiB) counts as damaged: it would need as much memory.
@safe
public final class ZstandardDecompressor: Decompressor {
    // SAFETY: the stream is libzstd's own state; it is used by this object alone, from `init` to `deinit`.
    private let stream: OpaquePointer
    private var output: [UInt8]

    /// Whether the data seen so far end where a frame ends.
    public private(set) var isAtEnd = true

    /// Prepares decompression in steps of `outputSize` bytes.
    public init(outputSize: Int = 1 << 18) throws(DecompressionFailure) {
        // SAFETY: the function takes nothing, and returns a stream or null.
        guard let stream = unsafe ZSTD_createDStream() else { throw .outOfMemory }
        unsafe self.stream = stream
        output = [UInt8](repeating: 0, count: outputSize)
    }

    deinit {
        // SAFETY: `init` made the stream, and nobody uses it any more.
        _ = unsafe ZSTD_freeDStream(stream)
    }

    /// How many bytes come out of a step, at most.
    public var outputSize: Int { output.count }

    /// Decompresses the next piece of the data, from `start` on, as far as the output has room.
    public func step(_ input: [UInt8], from start: Int) -> DecompressionStep {
        // SAFETY: libzstd reads from `pos` up to `size` of the input and writes up to `size` of the output, both of which stay
        // in place for the length of the closures.
        let (status, consumed, produced) = unsafe input.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBytes { target in
                var from = unsafe ZSTD_inBuffer(src: source.baseAddress, size: source.count, pos: start)
                var to = unsafe ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
                let status = unsafe ZSTD_decompressStream(stream, &to, &from)
                return unsafe (status, from.pos - start, to.pos)
            }
        }
        var step = DecompressionStep(consumed: consumed, output: output[..<produced])
        guard ZSTD_isError(status) == 0 else {
            // SAFETY: the name of an error is a constant string.
            step.failure = .damaged(unsafe String(cString: ZSTD_getErrorName(status)))
            return step
        }
        // Asked once more at the end of a frame, the library waits for the next one.
        if consumed > 0 || produced > 0 { isAtEnd = status == 0 }
        return step
    }
}
