extension [UInt8] {
    /// Appends an integer, least significant byte first.
    mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Appends an integer, most significant byte first.
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        for index in (0..<(value.bitWidth / 8)).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Appends an integer in a capture file's byte order.
    mutating func append(_ value: some FixedWidthInteger, in order: CaptureFormat.ByteOrder) {
        switch order {
        case .little: appendLittleEndian(value)
        case .big: appendBigEndian(value)
        }
    }
}
