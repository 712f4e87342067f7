internal import CLiblz4

/// Decompresses LZ4 frames piece by piece: the safe face of liblz4's frame decoder.
///
/// A file may consist of several frames one after the other; they are decompressed as one.
@safe
public final class LZ4Decompressor: Decompressor {
    // SAFETY: the context is liblz4's own state; it is used by this object alone, from `init` to `deinit`.
    private let context: OpaquePointer
    private var output: [UInt8]

    /// Whether the data seen so far end where a frame ends.
    public private(set) var isAtEnd = true

    /// Prepares decompression in steps of `outputSize` bytes.
    public init(outputSize: Int = 1 << 18) throws(DecompressionFailure) {
        var context: OpaquePointer?
        // SAFETY: the function fills in the pointer that it is given, or reports an error.
        let status = unsafe LZ4F_createDecompressionContext(&context, UInt32(LZ4F_VERSION))
        guard LZ4F_isError(status) == 0, let context = unsafe context else { throw .outOfMemory }
        unsafe self.context = context
        output = [UInt8](repeating: 0, count: outputSize)
    }

    deinit {
        // SAFETY: `init` made the context, and nobody uses it any more.
        _ = unsafe LZ4F_freeDecompressionContext(context)
    }

    /// How many bytes come out of a step, at most.
    public var outputSize: Int { output.count }

    /// Decompresses the next piece of the data, from `start` on, as far as the output has room.
    public func step(_ input: [UInt8], from start: Int) -> DecompressionStep {
        var consumed = input.count - start
        var produced = output.count
        // SAFETY: liblz4 reads at most `consumed` bytes of the input and writes at most `produced` bytes of the output, and
        // replaces both by what it did; the buffers stay in place for the length of the closures.
        let status = unsafe input.withUnsafeBytes { source in
            unsafe output.withUnsafeMutableBytes { target in
                unsafe LZ4F_decompress(
                    context,
                    target.baseAddress,
                    &produced,
                    source.baseAddress.map { unsafe $0 + start },
                    &consumed,
                    nil
                )
            }
        }
        guard LZ4F_isError(status) == 0 else {
            // SAFETY: the name of an error is a constant string.
            let name = unsafe String(cString: LZ4F_getErrorName(status))
            return DecompressionStep(consumed: 0, output: [], failure: .damaged(name))
        }
        if consumed > 0 || produced > 0 { isAtEnd = status == 0 }
        return DecompressionStep(consumed: consumed, output: output[..<produced])
    }
}
