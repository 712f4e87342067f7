/// The hash function MD4, which NTLM's password hash is made with; libcrypto 3 has it in its legacy provider alone.
///
/// - Source: RFC 1320 §3.
public enum MD4 {
    /// The hash of a message: 16 bytes.
    public static func digest(of message: [UInt8]) -> [UInt8] {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476]
        let padded = Self.padded(message)
        for start in stride(from: 0, to: padded.count, by: 64) { transform(&state, padded[start..<(start + 64)]) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) } }
    }

    /// RFC 1320 §3.1, §3.2: one bit, zeros, and the length in bits as 64 bits, least significant byte first.
    private static func padded(_ message: [UInt8]) -> [UInt8] {
        let bits = UInt64(message.count) * 8
        let zeros = (119 - message.count % 64) % 64
        return message + [0x80] + [UInt8](repeating: 0, count: zeros)
            + (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    }

    private static func transform(_ state: inout [UInt32], _ block: ArraySlice<UInt8>) {
        let words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            (0..<4).reduce(UInt32(0)) { $0 | UInt32(block[start + $1]) << UInt32(8 * $1) }
        }
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        for step in 0..<48 {
            let round = step / 16
            let mixed =
                switch round {
                case 0: b & c | ~b & d
                case 1: b & c | b & d | c & d
                default: b ^ c ^ d
                }
            let sum = a &+ mixed &+ words[order[step]] &+ constants[round]
            let shift = shifts[round * 4 + step % 4]
            (a, b, c, d) = (d, sum << shift | sum >> (32 - shift), b, c)
        }
        state = zip(state, [a, b, c, d]).map { $0 &+ $1 }
    }

    private static let constants: [UInt32] = [0, 0x5A82_7999, 0x6ED9_EBA1]
    private static let shifts: [UInt32] = [3, 7, 11, 19, 3, 5, 9, 13, 3, 9, 11, 15]
    private static let order =
        Array(0..<16) + [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
        + [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15]
}
