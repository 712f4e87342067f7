/// Makes text of captures and command lines safe and fit to print.
public enum PrintableText {
    /// How many characters of one captured value are shown.
    public static let maximumLength = 200

    /// Text from outside with everything escaped that acts instead of showing, and cut where it is longer than `limit`
    /// characters.
    public static func visible(_ text: String, limit: Int = maximumLength) -> String {
        if text.utf8.count <= limit, text.utf8.allSatisfy(isPlain) { return text }
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else { return result + "…" }
            if scalar.isUnsafeToPrint {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
            count += 1
        }
        return result
    }

    /// How many columns of a terminal a text takes: wide East Asian characters and emoji two, combining marks none, and
    /// none for the colours that `Style` adds.
    static func width(_ text: String) -> Int {
        if text.utf8.allSatisfy(isPlain) { return text.utf8.count }
        var columns = 0
        var isInColour = false
        for scalar in text.unicodeScalars {
            if isInColour {
                isInColour = scalar != "m"
            } else if scalar == "\u{1B}" {
                isInColour = true
            } else {
                columns += width(of: scalar)
            }
        }
        return columns
    }

    /// A line cut to a width, with "…" where something is missing.
    public static func cut(_ line: String, columns: Int = 80) -> String {
        guard width(line) > columns else { return line }
        var kept = ""
        var used = 1
        for character in line {
            used += width(String(character))
            if used > columns { break }
            kept.append(character)
        }
        return kept + "…"
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x7F { return 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0x1160...0x11FF: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }

    /// Words wrapped to a width; each line after the first starts with `indent` spaces.
    ///
    /// A word that is wider than a line stands alone on one.
    static func wrap(_ text: String, first: String = "", indent: Int = 0, columns: Int = 80) -> String {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") }
        let bytes = Array(text.utf8)
        var result = Array(first.utf8)
        result.reserveCapacity(result.count + bytes.count + (bytes.count / 32 + 1) * (indent + 1))
        var used = width(first)
        var isEmpty = true
        for word in bytes.split(whereSeparator: isBlank) {
            let width = width(word)
            if !isEmpty, used + 1 + width > columns {
                result.append(UInt8(ascii: "\n"))
                result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent))
                used = indent
                isEmpty = true
            }
            if !isEmpty {
                result.append(UInt8(ascii: " "))
                used += 1
            }
            result.append(contentsOf: word)
            used += width
            isEmpty = false
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// The columns of one word: as many as it has bytes, where it is plain ASCII.
    private static func width(_ word: ArraySlice<UInt8>) -> Int {
        word.allSatisfy(isPlain) ? word.count : width(String(decoding: word, as: UTF8.self))
    }

    /// Whether a byte is a character of ASCII that shows.
    private static func isPlain(_ byte: UInt8) -> Bool { (0x20..<0x7F).contains(byte) }
}
