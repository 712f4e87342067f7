import AuthScanBytes

extension ByteCursor {
    /// Takes a vector: its length in `lengthBytes` bytes, most significant first, then that many bytes.
    ///
    /// - Source: RFC 8446 §3.4.
    mutating func takeVector(lengthBytes: Int, as field: String) throws(DecodeError) -> ArraySlice<UInt8> {
        let length = try take(lengthBytes, as: field).reduce(0) { $0 << 8 | Int($1) }
        return try take(length, as: field)
    }
}

/// The pairs of bytes of a vector as numbers, most significant byte first; an odd byte at the end is left out.
func numbers16(_ bytes: ArraySlice<UInt8>) -> [UInt16] {
    stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
}
