/// Makes captured or generated text safe and fit to print.
enum PrintableText {
    /// How many characters of one captured value are shown.
    static let maximumLength = 200

    /// Captured text with everything escaped that acts instead of showing, and cut where it is long.
    static func visible(_ text: String) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < maximumLength else { return result + "…" }
            if scalar.isUnsafeToPrint {
                result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
            count += 1
        }
        return result
    }

    /// How many columns of a terminal a text takes: wide East Asian characters and emoji two, combining marks none.
    static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width(of: $1) } }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
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
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
            if !isEmpty, width(line) + 1 + width(String(word)) > columns {
                lines.append(line)
                line = String(repeating: " ", count: indent)
                isEmpty = true
            }
            line += isEmpty ? String(word) : " " + word
            isEmpty = false
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
