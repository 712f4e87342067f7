import AuthScanBytes
import AuthScanNativeCodecs

/// Reads message heads; holds what their field lines are kept in.
///
/// - Source: RFC 9112 §2.1 (a recipient may take a bare LF as line end), §5.1, §5.2 (obsolete line folding).
struct HeadParser {
    private let names = FieldNameTable()
    private let valueLimit: Int
    private var arena = FieldArena()
    /// How many values were longer than what is kept of them.
    private(set) var valuesCut = 0

    init(valueLimit: Int) { self.valueLimit = valueLimit }

    /// The buffers that the field lines of all messages lie in; none is added to them from here on.
    mutating func takeBuffers() -> [[UInt8]] { arena.takeBuffers() }

    /// How many buffers for field lines are of use to it; see `FieldArena`.
    var wantedBuffers: Int { arena.wantedBuffers }

    /// Takes buffers for field lines that are ready to be filled.
    mutating func supply(_ buffers: [[UInt8]]) { arena.supply(buffers) }

    /// The request target of a message, as text.
    func target(of request: StoredRequest) -> String {
        arena.first(.requestTarget, of: request.fields).map(fieldText) ?? ""
    }

    /// How many numbers of hosts there are.
    var hostCount: Int { arena.hostCount }

    /// Forgets the field lines of the head parsed last.
    mutating func discardFields() { arena.discardMessage() }

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

    /// Reads the head that starts at `start`; returns where it ends, behind its empty line.
    ///
    /// `nil`, and no field line is kept, where its end is not there.
    mutating func parse(_ bytes: RawSpan, from start: Int, isResponse: Bool, into head: inout MessageHead) -> Int? {
        var position = start
        if read(bytes, at: &position, isResponse: isResponse, into: &head) { return position }
        discardFields()
        return nil
    }

    /// Reads the head that the bytes are; a last line without its end is read as far as it goes.
    mutating func parse(_ bytes: RawSpan, isResponse: Bool, into head: inout MessageHead) {
        var position = 0
        _ = read(bytes, at: &position, isResponse: isResponse, into: &head)
    }

    /// Whether the empty line was reached.
    private mutating func read(
        _ bytes: RawSpan,
        at position: inout Int,
        isResponse: Bool,
        into head: inout MessageHead
    ) -> Bool {
        let line = nextLine(bytes, at: &position)
        arena.beginMessage()
        if isResponse { readStatusLine(bytes, line, into: &head) } else { readRequestLine(bytes, line, into: &head) }
        let isEndReached = readFieldLines(bytes, at: &position, into: &head)
        head.fields = arena.endMessage(isNamedByHost: isEndReached && head.isNamedByHost)
        return isEndReached
    }

    /// Whether the empty line was reached.
    private mutating func readFieldLines(
        _ bytes: RawSpan,
        at position: inout Int,
        into head: inout MessageHead
    ) -> Bool {
        var next = position
        defer { position = next }
        while next < bytes.byteCount {
            let line = nextLine(bytes, at: &next)
            // A carriage return alone may be the end of what there is so far.
            if line.isEmpty { return bytes.byte(next - 1) == 0x0A }
            guard let (name, valueStart) = names.name(in: bytes, line) else { continue }
            let value = trimmed(bytes, valueStart..<line.upperBound)
            if next < bytes.byteCount, isSpace(bytes.byte(next)) {
                next = keepFolded(name, bytes, value, from: next, in: &head)
            } else {
                keep(name, bytes.extracting(value), in: &head)
            }
        }
        return false
    }

    /// The next line without its end; `position` moves behind it.
    @inline(__always)
    private func nextLine(_ bytes: RawSpan, at position: inout Int) -> Range<Int> {
        let start = position
        var lineEnd = bytes.byteCount
        position = lineEnd
        if let lineFeed = bytes.firstIndex(of: 0x0A, from: start) {
            lineEnd = lineFeed
            position = lineFeed &+ 1
        }
        if lineEnd > start, bytes.byte(lineEnd &- 1) == 0x0D { lineEnd &-= 1 }
        return start..<lineEnd
    }

    /// Keeps a value as far as the limit allows, and notes what it says about the message.
    private mutating func keep(_ name: FieldName, _ value: RawSpan, in head: inout MessageHead) {
        let kept = min(value.byteCount, valueLimit)
        if kept < value.byteCount {
            valuesCut += 1
            head.isCut = true
        }
        let place = arena.append(name, value.extracting(0..<kept))
        switch name {
        case .host: arena.noteHost(place)
        case .userAgent: head.isUserAgentNamed = head.isUserAgentNamed ?? (kept > 0)
        case .contentLength: head.framing.noteContentLength(value, 0..<value.byteCount)
        case .transferEncoding: head.framing.noteTransferEncoding(value, 0..<value.byteCount)
        case .upgrade: head.framing.noteUpgrade(value, 0..<value.byteCount)
        default: break
        }
    }

    /// Joins the lines of a folded value with a space each, and keeps that; returns where the next line starts.
    private mutating func keepFolded(
        _ name: FieldName,
        _ bytes: RawSpan,
        _ first: Range<Int>,
        from start: Int,
        in head: inout MessageHead
    ) -> Int {
        var position = start
        var value: [UInt8] = []
        value.append(bytes.extracting(first))
        while position < bytes.byteCount, isSpace(bytes.byte(position)) {
            let line = trimmed(bytes, nextLine(bytes, at: &position))
            if line.isEmpty { continue }
            if !value.isEmpty { value.append(0x20) }
            value.append(bytes.extracting(line))
        }
        withBytes(of: value) { keep(name, $0, in: &head) }
        return position
    }

    @inline(__always)
    private func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    @inline(__always)
    private func trimmed(_ bytes: RawSpan, _ range: Range<Int>) -> Range<Int> {
        var start = range.lowerBound
        var end = range.upperBound
        while start < end, isSpace(bytes.byte(start)) { start &+= 1 }
        while end > start, isSpace(bytes.byte(end &- 1)) { end &-= 1 }
        return start..<end
    }

    private mutating func readRequestLine(_ bytes: RawSpan, _ line: Range<Int>, into head: inout MessageHead) {
        guard let space = bytes.firstIndex(of: 0x20, from: line.lowerBound), space < line.upperBound else { return }
        var end = line.upperBound
        while end > space, isSpace(bytes.byte(end - 1)) { end -= 1 }
        var versionStart = end
        // Nearly always, and not to be looked at byte by byte.
        if end - 9 >= space, bytes.bigEndian64(end - 9) == StartLine.versionWord { versionStart = end - 8 }
        while versionStart > space, !isSpace(bytes.byte(versionStart - 1)) { versionStart -= 1 }
        let method = line.lowerBound..<space
        head.method = method.count > ShortName.longest ? ShortName() : ShortName(bytes, method)
        head.version = ShortName(bytes, versionStart..<end)
        let target = trimmed(bytes, (space + 1)..<max(space + 1, versionStart))
        arena.append(.requestTarget, bytes.extracting(target))
        head.isNamedByHost = !target.isEmpty && bytes.byte(target.lowerBound) == UInt8(ascii: "/")
        if head.method.isEmpty { arena.append(.requestMethod, bytes.extracting(method)) }
    }

    /// The caller has seen that the line starts with `HTTP/1.x` and three digits.
    private func readStatusLine(_ bytes: RawSpan, _ line: Range<Int>, into head: inout MessageHead) {
        guard line.count >= 12 else { return }
        head.version = ShortName(bytes, line.lowerBound..<(line.lowerBound + 8))
        head.status = (9..<12).reduce(0) { $0 * 10 + Int(bytes.byte(line.lowerBound + $1) &- 0x30) }
    }
}
