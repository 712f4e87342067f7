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
        if let bytes = decodeFaultless(text.span, alphabet) { return bytes }
        switch alphabet {
        case .standard: return try decode(withoutPadding(text), values: standardValues, isStrict: true)
        case .urlSafe: return try decode(text, values: urlSafeValues, isStrict: true)
        }
    }

    /// Decodes text of the standard alphabet whatever its padding is; `nil` where a letter is none of base64.
    ///
    /// A last letter that makes no whole byte is ignored.
    public static func decodeIgnoringPadding(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let letters = text.prefix(text.count - text.reversed().prefix { $0 == UInt8(ascii: "=") }.count)
        // The reason is that of `decode(_:alphabet:)`, which callers ask first.
        return try? decode(letters, values: standardValues, isStrict: false)
    }

    private static func decode(
        _ letters: ArraySlice<UInt8>,
        values: [UInt8],
        isStrict: Bool
    ) throws(DecodeError) -> [UInt8] {
        var output: [UInt8] = []
        var rest: [UInt8] = []
        for letter in letters {
            guard values[Int(letter)] < 64 else { throw badLetter(in: letters, values: values) }
            rest.append(values[Int(letter)])
            guard rest.count == 4 else { continue }
            output += bytes(of: rest)
            rest.removeAll(keepingCapacity: true)
        }
        if isStrict { try check(rest, lastOffset: letters.count - 1) }
        if rest.count >= 2 { output += bytes(of: rest + [0, 0]).prefix(rest.count - 1) }
        return output
    }

    /// The three bytes that four letters of these values stand for.
    private static func bytes(of values: [UInt8]) -> [UInt8] {
        [values[0] << 2 | values[1] >> 4, values[1] << 4 | values[2] >> 2, values[2] << 6 | values[3]]
    }

    /// Refuses a last group that stands for no whole bytes.
    private static func check(_ rest: [UInt8], lastOffset: Int) throws(DecodeError) {
        let fault: String? =
            switch rest.count {
            case 1: "one letter too many"
            // RFC 4648 §3.5: decoders "MAY choose to reject an encoding if the pad bits have not been set to zero".
            case 2 where rest[1] & 15 != 0: "bits left over"
            case 3 where rest[2] & 3 != 0: "bits left over"
            default: nil
            }
        if let fault { throw DecodeError(.invalidValue(fault), "base64", offset: lastOffset) }
    }

    /// Takes off the one or two `=` that make the length a multiple of four.
    private static func withoutPadding(_ text: ArraySlice<UInt8>) throws(DecodeError) -> ArraySlice<UInt8> {
        var letters = text
        while letters.count > text.count - 2, letters.last == UInt8(ascii: "=") { letters.removeLast() }
        guard text.count % 4 != 0 else { return letters }
        // A wrong letter explains a wrong length better than the length does.
        if letters.contains(where: { standardValues[Int($0)] >= 64 }) {
            throw badLetter(in: letters, values: standardValues)
        }
        let fault = letters.count == text.count ? "padding is missing" : "padding does not fit the length"
        throw DecodeError(.invalidValue(fault), "base64", offset: letters.count)
    }

    private static func badLetter(in letters: ArraySlice<UInt8>, values: [UInt8]) -> DecodeError {
        let index = letters.firstIndex { values[Int($0)] >= 64 } ?? letters.startIndex
        let reason = "0x\(Hex.encode(letters[index])) is no letter of base64"
        return DecodeError(.invalidValue(reason), "base64", offset: index - letters.startIndex)
    }

    static let standardValues = values(of: 0x2B, 0x2F)
    static let urlSafeValues = values(of: 0x2D, 0x5F)

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
