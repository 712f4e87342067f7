public import CMemory

/// What comes into the cache together.
@frozen
public enum CacheLine {
    /// How many bytes it holds, at least.
    @inlinable
    @inline(__always)
    public static var bytes: Int { 64 }

    /// Asks for the lines that hold so many bytes, and waits for none of them.
    @inlinable
    @inline(__always)
    static func prefetch(_ start: UnsafeRawPointer?, byteCount: Int) {
        guard let start = unsafe start else { return }
        var offset = 0
        while offset < byteCount {
            // SAFETY: the instruction reads nothing: any address may be asked for.
            unsafe authscan_prefetch(start.advanced(by: offset))
            offset &+= bytes
        }
    }
}

extension RawSpan {
    /// Asks for bytes that will be read soon, and waits for none of them; offsets outside the span ask for nothing.
    ///
    /// What lies anywhere in memory takes as long as a hundred instructions: who knows early what it needs need not wait for it.
    @inlinable
    @inline(__always)
    public func prefetch(_ range: Range<Int>) {
        // SAFETY: the addresses lie inside the span, and the pointer is used within the closure alone.
        unsafe withUnsafeBytes { bytes in
            let start = Swift.min(Swift.max(0, range.lowerBound), bytes.count)
            let count = Swift.min(range.upperBound, bytes.count) &- start
            unsafe CacheLine.prefetch(bytes.baseAddress?.advanced(by: start), byteCount: count)
        }
    }
}

extension Array {
    /// Asks for the first `byteCount` bytes of an element that will be read soon, and waits for none of them; an index outside the
    /// array asks for nothing.
    @inlinable
    @inline(__always)
    public func prefetch(_ index: Int, byteCount: Int = MemoryLayout<Element>.stride) {
        guard indices.contains(index) else { return }
        // SAFETY: the addresses lie inside the array, and the pointer is used within the closure alone.
        unsafe withUnsafeBytes { bytes in
            let start = unsafe bytes.baseAddress?.advanced(by: index &* MemoryLayout<Element>.stride)
            unsafe CacheLine.prefetch(start, byteCount: byteCount)
            // Elements lie across the lines: the last byte may be in one more.
            unsafe CacheLine.prefetch(start?.advanced(by: byteCount &- 1), byteCount: 1)
        }
    }

    /// Asks for the first `byteCount` bytes of the objects that some elements begin with a reference to, and waits for none of them;
    /// indices outside the array ask for nothing.
    ///
    /// The elements must be references, or structures whose first field is one.
    @inlinable
    @inline(__always)
    public func prefetchObjects(_ range: Range<Int>, byteCount: Int) {
        let range = range.clamped(to: indices)
        // SAFETY: a reference is read as the number that it is, and what it refers to is not touched.
        unsafe withUnsafeBytes { bytes in
            for index in range {
                let object = unsafe bytes.loadUnaligned(
                    fromByteOffset: index &* MemoryLayout<Element>.stride,
                    as: UnsafeRawPointer?.self
                )
                unsafe CacheLine.prefetch(object, byteCount: byteCount)
            }
        }
    }
}
