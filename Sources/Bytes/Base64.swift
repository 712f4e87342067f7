/// Bytes as text of 64 letters, in the standard and in the URL-safe alphabet.
///
/// - Source: RFC 4648 §4, §5.
public enum Base64 {
    /// Which letters stand for the values 62 and 63, and whether padding is required.
    public enum Alphabet: Sendable {
        /// `+` and `/`, with padding to a multiple of four letters.
        case standard
        /// `-` and `_`, without padding.
        case urlSafe
    }

    /// Decodes text strictly: no white space, no missing padding, no bits left over.
    ///
    /// - Throws: with the offset of the first letter that is wrong, in bytes from the start of the text.
    public static func decode(
        _ text: ArraySlice<UInt8>,
        alphabet: Alphabet = .standard
    ) throws(DecodeError) -> [UInt8] {
        let table = alphabet == .standard ? standardValues : urlSafeValues
        let body = alphabet == .standard ? try withoutPadding(text) : text
        var output: [UInt8] = []
        output.reserveCapacity(body.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var pending = 0
        var index = body.startIndex
        while index < body.endIndex {
            let value = table[Int(body[index])]
            guard value < 64 else { throw badLetter(at: index, in: text) }
            bits = (bits << 6) | UInt32(value)
            pending += 6
            if pending >= 8 {
                pending -= 8
                output.append(UInt8(truncatingIfNeeded: bits >> UInt32(pending)))
            }
            index += 1
        }
        guard pending < 6 else {
            throw DecodeError(.invalidValue("one letter too many"), "base64", offset: body.count - 1)
        }
        // RFC 4648 §3.5: "decoders MAY choose to reject an encoding if the pad bits have not been set to zero".
        guard bits & ((1 << UInt32(pending)) - 1) == 0 else {
            throw DecodeError(.invalidValue("bits left over"), "base64", offset: body.count - 1)
        }
        return output
    }

    /// Takes off the one or two `=` that make the length a multiple of four.
    private static func withoutPadding(_ text: ArraySlice<UInt8>) throws(DecodeError) -> ArraySlice<UInt8> {
        var body = text
        while body.count > text.count - 2, body.last == UInt8(ascii: "=") { body.removeLast() }
        guard text.count % 4 != 0 else { return body }
        // A wrong letter explains a wrong length better than the length does.
        if let bad = body.firstIndex(where: { standardValues[Int($0)] >= 64 }) { throw badLetter(at: bad, in: text) }
        let padding = body.count == text.count ? "padding is missing" : "padding does not fit the length"
        throw DecodeError(.invalidValue(padding), "base64", offset: body.count)
    }

    private static func badLetter(at index: Int, in text: ArraySlice<UInt8>) -> DecodeError {
        let reason = "0x\(Hex.encode(text[index])) is no letter of base64"
        return DecodeError(.invalidValue(reason), "base64", offset: index - text.startIndex)
    }

    private static let standardValues = values(of: 0x2B, 0x2F)
    private static let urlSafeValues = values(of: 0x2D, 0x5F)

    /// The value of each byte as a letter; 255 for those that are none.
    private static func values(of letter62: UInt8, _ letter63: UInt8) -> [UInt8] {
        var table = [UInt8](repeating: 255, count: 256)
        for (value, letter) in (Array(0x41...0x5A) + Array(0x61...0x7A) + Array(0x30...0x39)).enumerated() {
            table[letter] = UInt8(value)
        }
        table[Int(letter62)] = 62
        table[Int(letter63)] = 63
        return table
    }
}
