/// Reads message heads; holds the buffers that are used again for each.
///
/// - Source: RFC 9112 §2.1 (a recipient may take a bare LF as line end), §5.1, §5.2 (obsolete line folding).
struct HeadParser {
    private let names = FieldNameTable()
    private let valueLimit: Int
    private var scratch = FieldLines()

    init(valueLimit: Int) { self.valueLimit = valueLimit }

    /// Where the head that starts at `start` ends, behind its empty line; `nil` where its end is not there.
    ///
    /// `scanned` is how far an earlier call has looked, and moves on, so that a head which comes in drops is scanned once.
    static func end(of bytes: RawSpan, from start: Int, scanned: inout Int) -> Int? {
        var position = max(start, scanned)
        while let lineFeed = bytes.firstIndex(of: 0x0A, from: position) {
            let next = lineFeed + 1
            guard next < bytes.byteCount else { break }
            if bytes.byte(next) == 0x0A { return next + 1 }
            if bytes.byte(next) == 0x0D {
                guard next + 1 < bytes.byteCount else { break }
                if bytes.byte(next + 1) == 0x0A { return next + 2 }
            }
            position = next
        }
        scanned = position
        return nil
    }

    /// Reads the head in `range`; a last line without its end is read as far as it goes.
    mutating func parse(_ bytes: RawSpan, _ range: Range<Int>, isResponse: Bool) -> MessageHead {
        var head = MessageHead()
        var position = range.lowerBound
        let line = nextLine(bytes, at: &position, until: range.upperBound)
        if isResponse { readStatusLine(bytes, line, into: &head) } else { readRequestLine(bytes, line, into: &head) }
        scratch.removeAll()
        while position < range.upperBound {
            let line = nextLine(bytes, at: &position, until: range.upperBound)
            if line.isEmpty { break }
            readFieldLine(bytes, line, at: &position, until: range.upperBound, into: &head)
        }
        head.fields = scratch.compacted
        return head
    }

    /// The next line without its end; `position` moves behind it.
    @inline(__always)
    private func nextLine(_ bytes: RawSpan, at position: inout Int, until end: Int) -> Range<Int> {
        let start = position
        var lineEnd = end
        position = end
        if let lineFeed = bytes.firstIndex(of: 0x0A, from: start), lineFeed < end {
            lineEnd = lineFeed
            position = lineFeed + 1
        }
        if lineEnd > start, bytes.byte(lineEnd - 1) == 0x0D { lineEnd -= 1 }
        return start..<lineEnd
    }

    @inline(__always)
    private mutating func readFieldLine(
        _ bytes: RawSpan,
        _ line: Range<Int>,
        at position: inout Int,
        until end: Int,
        into head: inout MessageHead
    ) {
        guard let colon = bytes.firstIndex(of: 0x3A, from: line.lowerBound), colon < line.upperBound else { return }
        var nameEnd = colon
        // "No whitespace is allowed between the field name and colon": servers that send it are understood all the same.
        while nameEnd > line.lowerBound, isSpace(bytes.byte(nameEnd - 1)) { nameEnd -= 1 }
        guard let name = names.name(in: bytes, line.lowerBound..<nameEnd) else { return }
        let value = trimmed(bytes, (colon + 1)..<line.upperBound)
        if position < end, isSpace(bytes.byte(position)) {
            appendFolded(name, bytes, value, at: &position, until: end)
        } else {
            scratch.append(name, bytes.extracting(value.prefix(valueLimit)))
        }
        if name == .contentLength { head.framing.noteContentLength(bytes, value) }
        if name == .transferEncoding { head.framing.noteTransferEncoding(bytes, value) }
    }

    /// Joins the lines of a folded value with a space each.
    private mutating func appendFolded(
        _ name: FieldName,
        _ bytes: RawSpan,
        _ first: Range<Int>,
        at position: inout Int,
        until end: Int
    ) {
        var value: [UInt8] = []
        value.append(bytes.extracting(first.prefix(valueLimit)))
        while position < end, isSpace(bytes.byte(position)) {
            let line = trimmed(bytes, nextLine(bytes, at: &position, until: end))
            if line.isEmpty { continue }
            if !value.isEmpty { value.append(0x20) }
            value.append(bytes.extracting(line.prefix(max(0, valueLimit - value.count))))
        }
        scratch.append(name, value: value)
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @inline(__always)
    private func trimmed(_ bytes: RawSpan, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isSpace(bytes.byte(start)) { start += 1 }
        while end > start, isSpace(bytes.byte(end - 1)) { end -= 1 }
        return start..<end
    }

    private func readRequestLine(_ bytes: RawSpan, _ line: Range<Int>, into head: inout MessageHead) {
        guard let space = bytes.firstIndex(of: 0x20, from: line.lowerBound), space < line.upperBound else { return }
        var end = line.upperBound
        while end > space, isSpace(bytes.byte(end - 1)) { end -= 1 }
        var versionStart = end
        while versionStart > space, !isSpace(bytes.byte(versionStart - 1)) { versionStart -= 1 }
        head.method = bytes.extracting(line.lowerBound..<space).text
        head.target = bytes.extracting(trimmed(bytes, (space + 1)..<max(space + 1, versionStart))).text
        head.version = bytes.extracting(versionStart..<end).text
    }

    /// The caller has seen that the line starts with `HTTP/1.x` and three digits.
    private func readStatusLine(_ bytes: RawSpan, _ line: Range<Int>, into head: inout MessageHead) {
        guard line.count >= 12 else { return }
        head.version = bytes.extracting(line.lowerBound..<(line.lowerBound + 8)).text
        head.status = (9..<12).reduce(0) { $0 * 10 + Int(bytes.byte(line.lowerBound + $1) &- 0x30) }
    }
}
