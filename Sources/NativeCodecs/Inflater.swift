internal import CZlib

/// Decompresses gzip data piece by piece: the safe face of zlib's inflate.
///
/// A gzip file may consist of several members one after the other (RFC 1952 §2.2); they are decompressed as one.
@safe
public final class Inflater: Decompressor {
    /// How decompression failed.
    public typealias Failure = DecompressionFailure

    // SAFETY: the stream is zlib's own state; it is used by this object alone, from `init` to `deinit`.
    private var stream = unsafe z_stream()
    private var isBetweenMembers = true
    private var hasEndedMember = false
    private var output: [UInt8]

    /// Prepares decompression in steps of `outputSize` bytes.
    public init(outputSize: Int = 1 << 18) throws(Failure) {
        output = [UInt8](repeating: 0, count: outputSize)
        // SAFETY: the structure is zeroed, as zlib asks; 15 + 16 asks for gzip with the largest window.
        let status = unsafe inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .outOfMemory }
    }

    deinit {
        // SAFETY: `init` succeeded, so that the stream is initialised, and nobody uses it any more.
        _ = unsafe inflateEnd(&stream)
    }

    /// Whether the data seen so far end where a gzip member ends.
    public var isAtEnd: Bool { isBetweenMembers }

    /// How many bytes come out of a step, at most.
    public var outputSize: Int { output.count }

    /// Decompresses the next piece of the data, from `start` on, as far as the output has room.
    public func step(_ input: [UInt8], from start: Int) -> DecompressionStep {
        // Padding of zeros behind the last member is common on tapes and harmless.
        if hasEndedMember, isBetweenMembers, input[start...].allSatisfy({ $0 == 0 }) {
            return DecompressionStep(consumed: input.count - start, output: [])
        }
        return inflateStep(input, from: start)
    }

    private func inflateStep(_ input: [UInt8], from start: Int) -> DecompressionStep {
        let available = input.count - start
        // SAFETY: zlib reads at most avail_in bytes of the input and writes at most avail_out bytes of the output, both
        // of which stay in place for the length of the closures.
        let (status, left, room) = unsafe input.withUnsafeBufferPointer { source in
            unsafe output.withUnsafeMutableBufferPointer { target in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: source.baseAddress.map { unsafe $0 + start })
                unsafe stream.avail_in = UInt32(available)
                unsafe stream.next_out = target.baseAddress
                unsafe stream.avail_out = UInt32(target.count)
                let status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
                return unsafe (status, Int(stream.avail_in), Int(stream.avail_out))
            }
        }
        var step = DecompressionStep(consumed: available - left, output: output[..<(output.count - room)])
        switch status {
        case Z_OK, Z_BUF_ERROR: isBetweenMembers = false
        case Z_STREAM_END:
            isBetweenMembers = true
            hasEndedMember = true
            // SAFETY: the stream is initialised; the next member starts from scratch.
            _ = unsafe inflateReset(&stream)
        case Z_MEM_ERROR: step.failure = .outOfMemory
        default:
            // SAFETY: zlib's message, where there is one, is a constant string.
            let message = unsafe stream.msg.map { unsafe String(cString: $0) }
            step.failure = .damaged(message ?? "not gzip data")
        }
        return step
    }
}
