public import CMemory

extension RawSpan {
    /// How many bytes are looked at together.
    @inlinable
    @inline(__always)
    static var searchStep: Int { 16 }

    /// Where the next `wanted` lies at or after `start`, which must not be negative; `nil` where there is none.
    ///
    /// What is left behind the last whole step is looked at together with bytes before it, where there are any.
    @inlinable
    @inline(__always)
    public func firstIndex(of wanted: UInt8, from start: Int) -> Int? {
        precondition(start >= 0)
        var offset = start
        while offset &+ RawSpan.searchStep <= byteCount {
            let equal = equalBytes(wanted, offset)
            if equal != 0 { return offset &+ equal.trailingZeroBitCount }
            offset &+= RawSpan.searchStep
        }
        guard offset < byteCount else { return nil }
        let last = byteCount &- RawSpan.searchStep
        // Too few bytes for a step there are seldom.
        guard last >= 0 else { return firstIndex(of: wanted, amongFew: offset) }
        let equal = equalBytes(wanted, last) &>> UInt32(truncatingIfNeeded: offset &- last)
        return equal == 0 ? nil : offset &+ equal.trailingZeroBitCount
    }

    @usableFromInline
    func firstIndex(of wanted: UInt8, amongFew start: Int) -> Int? {
        // SAFETY: unsafeLoad checks its bounds, and every bit pattern is a UInt8.
        (start..<byteCount).first { unsafe unsafeLoad(fromByteOffset: $0, as: UInt8.self) == wanted }
    }

    /// Which bytes of a step are `wanted`; all of them must be there.
    @inlinable
    @inline(__always)
    func equalBytes(_ wanted: UInt8, _ offset: Int) -> UInt32 {
        // SAFETY: the callers have checked that the bytes are there, and every bit pattern is sixteen numbers.
        unsafe authscan_equal_bytes(
            unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self),
            wanted
        )
    }
}
