extension Base64 {
    /// The letters that stand for bytes, in the standard alphabet with padding.
    public static func encode(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var letters: [UInt8] = []
        letters.reserveCapacity((bytes.count + 2) / 3 * 4)
        var group: UInt32 = 0
        var count = 0
        for byte in bytes {
            group = group << 8 | UInt32(byte)
            count += 1
            guard count == 3 else { continue }
            append(group, 4, to: &letters)
            (group, count) = (0, 0)
        }
        if count > 0 {
            append(group << UInt32(8 * (3 - count)), count + 1, to: &letters)
            letters += [UInt8](repeating: UInt8(ascii: "="), count: 3 - count)
        }
        return letters
    }

    /// The first letters of a group of 24 bits.
    private static func append(_ group: UInt32, _ count: Int, to letters: inout [UInt8]) {
        for index in 0..<count { letters.append(standardLetters[Int(group >> UInt32(18 - 6 * index) & 63)]) }
    }

    private static let standardLetters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
