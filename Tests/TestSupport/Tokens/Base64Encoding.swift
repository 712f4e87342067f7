/// The base64 form of bytes, padded.
///
/// - Source: RFC 4648 §4.
func base64(_ bytes: [UInt8]) -> String { encode(bytes, alphabet: "+/", padded: true) }

/// The base64url form of bytes, without padding, as JSON Web Tokens have it.
///
/// - Source: RFC 4648 §5; RFC 7515 §2.
func base64URL(_ bytes: [UInt8]) -> String { encode(bytes, alphabet: "-_", padded: false) }

private func encode(_ bytes: [UInt8], alphabet lastTwo: String, padded: Bool) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo)
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
        let group = bytes[start..<min(start + 3, bytes.count)]
        let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << (8 * (3 - group.count))
        for index in 0...group.count { text.append(alphabet[Int(bits >> (18 - 6 * index)) & 0x3F]) }
        if padded { text += String(repeating: "=", count: 3 - group.count) }
    }
    return text
}

/// The bytes that hexadecimal digits stand for; `nil` where they are odd in number or no digits.
func decodeHex(_ digits: some StringProtocol) -> [UInt8]? {
    let values = digits.map(\.hexDigitValue)
    guard values.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: values.count, by: 2) {
        guard let high = values[index], let low = values[index + 1] else { return nil }
        bytes.append(UInt8(high << 4 | low))
    }
    return bytes
}

extension SeededGenerator {
    /// The generator whose sequence belongs to a text (FNV-1a).
    init(from text: String) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        self.init(seed: hash)
    }

    /// The next bytes of the sequence.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 24) }
    }
}
