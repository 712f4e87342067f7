import AuthScanBytes

/// Writes JSON into a byte buffer, front to back.
///
/// - Source: RFC 8259.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []
    private var needsComma = false
    /// Takes what is written so far, where it is handed on piece by piece, and says whether to go on.
    private var handOn: (([UInt8]) -> Bool)?
    /// Whether whoever takes the pieces wants no more of them.
    private(set) var isRefused = false

    /// How many bytes are handed on together, at least.
    private static let pieceBytes = 1 << 20
    /// How many elements of a long list are written at once: what they become waits in memory.
    private static let elementsAtOnce = 8192

    /// Prepares a writer; with `handOn`, what is written does not gather in `bytes`.
    init(handOn: (([UInt8]) -> Bool)? = nil) { self.handOn = handOn }

    mutating func object(_ body: (inout JSONWriter) -> Void) { enclose(0x7B, 0x7D, body) }

    mutating func array<Elements: Sequence>(
        _ elements: Elements,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) {
        enclose(0x5B, 0x5D) { writer in
            for element in elements { body(&writer, element) }
        }
    }

    /// A long list, whose elements are written by several workers at once.
    mutating func array<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements,
        _ workers: Workers,
        _ body: @Sendable (inout JSONWriter, Elements.Element) -> Void
    ) where Elements.Index == Int {
        enclose(0x5B, 0x5D) { writer in
            var start = elements.startIndex
            while start < elements.endIndex, !writer.isRefused {
                let first = start
                let count = min(JSONWriter.elementsAtOnce, elements.endIndex - first)
                for part in workers.map(count, { JSONWriter.text(of: elements, $0, from: first, body) }) {
                    writer.separate()
                    writer.bytes += part
                    writer.needsComma = true
                }
                writer.handOnPiece(of: JSONWriter.pieceBytes)
                start += count
            }
        }
    }

    /// Some elements in a row, as a list without its brackets.
    private static func text<Elements: RandomAccessCollection>(
        of elements: Elements,
        _ range: Range<Int>,
        from start: Int,
        _ body: (inout JSONWriter, Elements.Element) -> Void
    ) -> [UInt8] where Elements.Index == Int {
        var part = JSONWriter()
        for index in range { body(&part, elements[start + index]) }
        return part.bytes
    }

    /// Hands on what is written so far, if it is so many bytes.
    private mutating func handOnPiece(of count: Int) {
        guard let handOn, bytes.count >= count else { return }
        if !isRefused { isRefused = !handOn(bytes) }
        bytes.removeAll(keepingCapacity: true)
    }

    private mutating func enclose(_ open: UInt8, _ close: UInt8, _ body: (inout JSONWriter) -> Void) {
        separate()
        bytes.append(open)
        needsComma = false
        body(&self)
        bytes.append(close)
        needsComma = true
    }

    /// Ends the text with a line end.
    mutating func finish() {
        bytes.append(0x0A)
        handOnPiece(of: 1)
    }

    /// The name of the member that follows.
    mutating func key(_ name: String) {
        separate()
        // Names in the program are plain letters.
        bytes.append(0x22)
        bytes.append(contentsOf: name.utf8)
        bytes.append(0x22)
        bytes.append(0x3A)
        needsComma = false
    }

    /// Makes the string just written the name of the member that follows.
    mutating func colon() {
        bytes.append(0x3A)
        needsComma = false
    }

    mutating func value(_ text: String?) {
        guard let text else { return null() }
        separate()
        string(text)
        needsComma = true
    }

    mutating func value(_ number: Int?) {
        guard let number else { return null() }
        separate()
        if number < 0 { bytes.append(0x2D) }
        let start = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(0x30 + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        bytes[start...].reverse()
        needsComma = true
    }

    mutating func value(_ flag: Bool?) {
        guard let flag else { return null() }
        raw(flag ? "true" : "false")
    }

    mutating func value(_ number: Double) {
        guard number.isFinite else { return null() }
        raw(number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)")
    }

    mutating func null() { raw("null") }

    mutating func member(_ name: String, _ text: String?) {
        key(name)
        value(text)
    }

    mutating func member(_ name: String, _ number: Int?) {
        key(name)
        value(number)
    }

    mutating func member(_ name: String, _ flag: Bool?) {
        key(name)
        value(flag)
    }

    mutating func member(_ name: String, _ numbers: [Int]) {
        key(name)
        array(numbers) { $0.value($1) }
    }

    mutating func member(_ name: String, _ texts: [String]) {
        key(name)
        array(texts) { $0.value($1) }
    }

    private mutating func raw(_ text: String) {
        separate()
        bytes.append(contentsOf: text.utf8)
        needsComma = true
    }

    private mutating func separate() {
        if needsComma { bytes.append(0x2C) }
        needsComma = false
    }

    /// A string with everything escaped that a terminal or a careless reader could trip over.
    private mutating func string(_ text: String) {
        bytes.append(0x22)
        defer { bytes.append(0x22) }
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) && $0 != 0x22 && $0 != 0x5C }) {
            return bytes.append(contentsOf: text.utf8)
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": bytes += [0x5C, 0x22]
            case "\\": bytes += [0x5C, 0x5C]
            case "\n": bytes += [0x5C, 0x6E]
            case "\r": bytes += [0x5C, 0x72]
            case "\t": bytes += [0x5C, 0x74]
            case _ where scalar.isUnsafeToPrint: escape(scalar)
            default: bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            }
        }
    }

    /// `\uXXXX`, as a surrogate pair beyond the basic plane.
    private mutating func escape(_ scalar: Unicode.Scalar) {
        for unit in UTF16.encode(scalar) ?? UTF16.encodedReplacementCharacter {
            let digits = String(unit, radix: 16)
            bytes += [0x5C, 0x75]
            bytes += [UInt8](repeating: 0x30, count: 4 - digits.utf8.count) + Array(digits.utf8)
        }
    }
}

extension Unicode.Scalar {
    /// Whether the character acts on a terminal, turns text around, or hides, instead of showing: control and format
    /// characters, line and paragraph separators, among them every bidirectional control, and all that is drawn as
    /// nothing.
    ///
    /// - Source: UTS #39 §3; UAX #9 §2; UAX #44, Default_Ignorable_Code_Point.
    var isUnsafeToPrint: Bool {
        if value < 0x7F { return value < 0x20 }
        return switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse: true
        default: properties.isDefaultIgnorableCodePoint
        }
    }
}
