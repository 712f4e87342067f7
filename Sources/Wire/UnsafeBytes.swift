// The one file of this target that may say `unsafe`. Its functions are safe to call: each checks what the standard library
// leaves unchecked, or relies on a check that the standard library does make.

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

    /// Where the next `wanted` lies at or after `start`; `nil` where there is none.
    ///
    /// Looks at eight bytes at a time: a word with its bytes exclusive-ored with `wanted` has a zero byte where one is found.
    @inline(__always) func firstIndex(of wanted: UInt8, from start: Int) -> Int? {
        var offset = start
        let pattern = 0x0101_0101_0101_0101 &* UInt64(wanted)
        while offset &+ 8 <= byteCount {
            // SAFETY: unsafeLoadUnaligned checks its bounds, and every bit pattern is a UInt64.
            let word =
                unsafe UInt64(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)) ^ pattern
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

    /// The bytes as text: UTF-8 where they are valid UTF-8, ISO 8859-1 otherwise, so that no byte is lost.
    var text: String {
        // SAFETY: the pointer is read within the closure alone.
        unsafe withUnsafeBytes { bytes in
            unsafe String(validating: bytes, as: UTF8.self)
                ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}

extension [UInt8] {
    /// Appends a copy of a span's bytes.
    @inline(__always) mutating func append(_ span: RawSpan) {
        // SAFETY: the pointer is read within the closure alone.
        unsafe span.withUnsafeBytes { unsafe append(contentsOf: $0) }
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
