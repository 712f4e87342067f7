// The one file of this target that may say `unsafe`. Its functions are safe to call: each checks what the standard library
// leaves unchecked, or relies on a check that the standard library does make.

import AuthScanBytes

extension RawSpan {
    /// The byte at an offset, which must lie inside the span.
    @inline(__always) func byte(_ offset: Int) -> UInt8 {
        // A negative offset is a huge one here: one comparison tells both.
        precondition(UInt(bitPattern: offset) < UInt(bitPattern: byteCount))
        // SAFETY: the byte is there, as was just checked, and every bit pattern is a UInt8.
        return unsafe unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt8.self)
    }

    /// Stops where not all of `count` bytes at an offset lie inside the span.
    @inline(__always) private func check(_ offset: Int, _ count: Int) {
        precondition(offset >= 0 && offset <= byteCount &- count)
    }

    /// The two bytes at an offset, most significant first.
    @inline(__always) func bigEndian16(_ offset: Int) -> UInt16 {
        check(offset, 2)
        // SAFETY: the bytes are there, as was just checked, and every bit pattern is a UInt16.
        return unsafe UInt16(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt16.self))
    }

    /// The four bytes at an offset, most significant first.
    @inline(__always) func bigEndian32(_ offset: Int) -> UInt32 {
        check(offset, 4)
        // SAFETY: the bytes are there, as was just checked, and every bit pattern is a UInt32.
        return unsafe UInt32(bigEndian: unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt32.self))
    }

    /// The eight bytes at an offset, most significant first.
    @inline(__always) func bigEndian64(_ offset: Int) -> UInt64 {
        check(offset, 8)
        return uncheckedWord(offset).bigEndian
    }

    /// Eight bytes that are there, as they lie in memory.
    @inline(__always) fileprivate func uncheckedWord(_ offset: Int) -> UInt64 {
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
        precondition(position >= 0 && span.byteCount <= count &- position &- 4)
        unsafe span.withUnsafeBytes { source in
            // SAFETY: the bytes are there, as was just checked, and the pointers are used within the closures alone.
            unsafe withUnsafeMutableBytes { target in
                guard let start = unsafe target.baseAddress?.advanced(by: position) else { return }
                unsafe start.storeBytes(of: word.littleEndian, as: UInt32.self)
                guard let bytes = source.baseAddress else { return }
                unsafe start.advanced(by: 4).copyMemory(from: bytes, byteCount: source.count)
            }
        }
    }

    /// Whether the bytes from `position` on, all of which must be there, are those of a span.
    func holds(_ bytes: RawSpan, at position: Int) -> Bool {
        withBytes(of: self) { own in
            let own = own.extracting(position..<(position + bytes.byteCount))
            let last = bytes.byteCount &- 8
            guard last >= 0 else {
                return (0..<bytes.byteCount).allSatisfy { own.byte($0) == bytes.byte($0) }
            }
            // As many bytes as these lie in both.
            var offset = 0
            while offset < last {
                if own.uncheckedWord(offset) != bytes.uncheckedWord(offset) { return false }
                offset &+= 8
            }
            return own.uncheckedWord(last) == bytes.uncheckedWord(last)
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
