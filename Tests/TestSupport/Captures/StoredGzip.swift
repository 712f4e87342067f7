/// A gzip member whose data are one stored block, with a true check sum unless another is asked for.
///
/// - Source: RFC 1952 §2.3; RFC 1951 §3.2.4.
public func storedGzip(_ data: [UInt8], checkSumError: UInt32 = 0) -> [UInt8] {
    var remainder: UInt32 = 0xFFFF_FFFF
    for byte in data {
        remainder ^= UInt32(byte)
        for _ in 0..<8 { remainder = remainder & 1 == 1 ? remainder >> 1 ^ 0xEDB8_8320 : remainder >> 1 }
    }
    func bytes(_ value: UInt32, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> UInt32(8 * $0)) }
    }
    let length = UInt32(data.count)
    return [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1] + bytes(length, 2) + bytes(~length, 2) + data
        + bytes(~remainder ^ checkSumError, 4) + bytes(length, 4)
}
