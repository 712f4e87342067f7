// The one file of this target that may say `unsafe`. Its functions are safe to call: each checks what the standard library
// leaves unchecked, or relies on a check that the standard library does make.

import AuthScanBytes

extension RawSpan {
    /// The byte at an offset, which must lie inside the span.
    @inline(__always) func byte(_ offset: Int) -> UInt8 {
        // SAFETY: unsafeLoadUnaligned checks its bounds, and every bit pattern is a UInt8.
        unsafe unsafeLoadUnaligned(fromByteOffset: offset, as: UInt8.self)
    }

    /// The two bytes at an offset, most significant first.
    @inline(__always) func bigEndian16(_ offset: Int) -> UInt16 {
        // SAFETY: unsafeLoadUnaligned checks its bounds, and every bit pattern is a UInt16.
        unsafe UInt16(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// The four bytes at an offset, most significant first.
    @inline(__always) func bigEndian32(_ offset: Int) -> UInt32 {
        // SAFETY: unsafeLoadUnaligned checks its bounds, and every bit pattern is a UInt32.
        unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The eight bytes at an offset, most significant first.
    @inline(__always) func bigEndian64(_ offset: Int) -> UInt64 {
        // SAFETY: unsafeLoadUnaligned checks its bounds, and every bit pattern is a UInt64.
        unsafe UInt64(bigEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Eight bytes that are there, as they lie in memory.
    @inline(__always) private func uncheckedWord(_ offset: Int) -> UInt64 {
        // SAFETY: the callers have checked that the bytes are there, and every bit pattern is a UInt64.
        unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
    }

    /// The eight bytes at an offset, most significant first; zeros stand for those behind the end of the span.
    @inline(__always) func paddedBigEndian64(_ offset: Int) -> UInt64 {
        if offset >= 0, offset &+ 8 <= byteCount { return uncheckedWord(offset).bigEndian }
        return bigEndian(at: offset, count: byteCount - offset)
    }

    /// The one to eight bytes at an offset, most significant first, filled up with zeros at the end.
    @inline(__always) func bigEndian(at offset: Int, count: Int) -> UInt64 {
        // Bytes behind them are read where there are any, and shifted out.
        let excess = UInt64(64 &- 8 &* count)
        if offset >= 0, offset &+ 8 <= byteCount { return (uncheckedWord(offset).bigEndian &>> excess) &<< excess }
        var word: UInt64 = 0
        for index in 0..<8 { word = word << 8 | (index < count ? UInt64(byte(offset &+ index)) : 0) }
        return word
    }

    /// Where the next `wanted` lies at or after `start`; `nil` where there is none.
    ///
    /// Looks at sixteen bytes at a time, then at eight: a word with its bytes exclusive-ored with `wanted` has a zero byte
    /// where one is found.
    @inline(__always) func firstIndex(of wanted: UInt8, from start: Int) -> Int? {
        precondition(start >= 0)
        var offset = start
        let lanes = SIMD16(repeating: wanted)
        while offset &+ 16 <= byteCount {
            // SAFETY: the bytes are there, as was just checked; a mask is sixteen bytes, each with all bits set or none.
            let equal = unsafe unsafeBitCast(
                unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: SIMD16<UInt8>.self) .== lanes,
                to: SIMD2<UInt64>.self
            )
            if equal[0] != 0 { return offset &+ (equal[0].littleEndian.trailingZeroBitCount >> 3) }
            if equal[1] != 0 { return offset &+ 8 &+ (equal[1].littleEndian.trailingZeroBitCount >> 3) }
            offset &+= 16
        }
        let pattern = 0x0101_0101_0101_0101 &* UInt64(wanted)
        while offset &+ 8 <= byteCount {
            let word = uncheckedWord(offset).littleEndian ^ pattern
            let zeros = (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
            if zeros != 0 { return offset &+ (zeros.trailingZeroBitCount >> 3) }
            offset &+= 8
        }
        while offset < byteCount {
            if byte(offset) == wanted { return offset }
            offset &+= 1
        }
        return nil
    }

    /// Whether every byte is ASCII.
    @inline(__always) private var isASCII: Bool {
        var offset = 0
        var bits: UInt64 = 0
        while offset &+ 8 <= byteCount {
            bits |= bigEndian64(offset)
            offset &+= 8
        }
        while offset < byteCount {
            bits |= UInt64(byte(offset))
            offset &+= 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }

    /// The bytes as text: UTF-8 where they are valid UTF-8, ISO 8859-1 otherwise, so that no byte is lost.
    var text: String {
        // SAFETY: the pointer is read within the closure alone.
        unsafe withUnsafeBytes { bytes in
            // Nearly always; `decoding` is the quick way, and has nothing to repair in ASCII.
            if isASCII { return unsafe String(decoding: bytes, as: UTF8.self) }
            return
                unsafe String(validating: bytes, as: UTF8.self)
                ?? latin1Text(bytes)
        }
    }
}

extension [UInt8] {
    /// Appends a copy of a span's bytes.
    @inline(__always) mutating func append(_ span: RawSpan) {
        // SAFETY: the pointer is read within the closure alone.
        unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }

    /// Writes a copy of a span's bytes over those from `position` on, which must be there.
    @inline(__always) mutating func write(_ span: RawSpan, at position: Int) {
        precondition(position >= 0 && span.byteCount <= count - position)
        unsafe span.withUnsafeBytes { source in
            // SAFETY: the bytes are there, as was just checked, and the pointers are used within the closures alone.
            unsafe withUnsafeMutableBytes {
                unsafe UnsafeMutableRawBufferPointer(rebasing: $0[position..<(position + source.count)])
                    .copyMemory(from: UnsafeRawBufferPointer(source))
            }
        }
    }

    /// Writes eight bytes, least significant first, over those from `position` on, which must be there.
    @inline(__always) mutating func write(_ word: UInt64, at position: Int) {
        // SAFETY: storeBytes checks its bounds.
        unsafe withUnsafeMutableBytes {
            unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
        }
    }

    /// Writes four bytes, least significant first, and a copy of a span's bytes behind them over those from `position` on, which must
    /// be there.
    @inline(__always) mutating func write(_ word: UInt32, before span: RawSpan, at position: Int) {
        precondition(position >= 0 && span.byteCount <= count - position - 4)
        unsafe span.withUnsafeBytes { source in
            // SAFETY: the bytes are there, as was just checked, and the pointers are used within the closures alone.
            unsafe withUnsafeMutableBytes {
                unsafe $0.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt32.self)
                unsafe UnsafeMutableRawBufferPointer(rebasing: $0[(position + 4)..<(position + 4 + source.count)])
                    .copyMemory(from: UnsafeRawBufferPointer(source))
            }
        }
    }

    /// Whether the bytes from `position` on, all of which must be there, are those of a span.
    func holds(_ bytes: RawSpan, at position: Int) -> Bool {
        withBytes(of: self) { own in
            let own = own.extracting(position..<(position + bytes.byteCount))
            var offset = 0
            while offset &+ 8 <= bytes.byteCount {
                if own.bigEndian64(offset) != bytes.bigEndian64(offset) { return false }
                offset &+= 8
            }
            while offset < bytes.byteCount {
                if own.byte(offset) != bytes.byte(offset) { return false }
                offset &+= 1
            }
            return true
        }
    }
}

/// Hands an array's bytes to `body` as a span.
@inline(__always)
func withBytes<Result, Failure: Error>(
    of array: [UInt8],
    _ body: (RawSpan) throws(Failure) -> Result
) throws(Failure) -> Result {
    // SAFETY: every byte of an array of UInt8 is initialised, so that a view of its bytes is sound.
    try body(unsafe array.span.bytes)
}

extension StaticString {
    /// Hands the bytes of a literal to `body`.
    @inline(__always)
    func withBytes<Result>(_ body: (RawSpan) -> Result) -> Result {
        // SAFETY: the bytes of a literal live as long as the program.
        withUTF8Buffer { unsafe body($0.span.bytes) }
    }
}

extension RawSpan {
    /// Whether the bytes from `position` on are those of a literal; `isPrefix` accepts fewer as far as they agree.
    @inline(__always)
    func holds(_ literal: StaticString, at position: Int, isPrefix: Bool = false) -> Bool {
        let available = byteCount - position
        guard isPrefix || available >= literal.utf8CodeUnitCount else { return false }
        return literal.withBytes { expected in
            for offset in 0..<Swift.min(expected.byteCount, available)
            where byte(position + offset) != expected.byte(offset) { return false }
            return true
        }
    }
}
