import AuthScanBytes
import AuthScanNativeCodecs

/// The field lines of one message that the analysis looks at, in wire order, repeated ones kept apart.
///
/// All lines of a message lie one after the other in a buffer that many messages of a capture share, so that a message costs no
/// allocation of its own. A line is stored as
///
/// ```
/// name (1, raw value) length of the value (3, least significant byte first) value
/// ```
///
/// or, with the top bit of the name set, with the place of the same value in the buffer (4, least significant byte first) in
/// the value's stead: browsers and servers repeat themselves.
///
/// - Source: RFC 9110 §5.2.
public struct FieldLines: Sendable {
    private var storage: [UInt8] = []
    /// Which names occur: what is asked for most often is not there, and need not be looked for.
    private var names = NameSet()
    private var start: UInt32
    private var end: UInt32
    /// Which buffer of a `FieldArena` to share once the arena is complete.
    private var buffer: UInt32 = 0
    private var host: Int32 = -1

    /// Names by their raw values modulo 64: a name that is not in the set does not occur.
    struct NameSet {
        private var bits: UInt64 = 0

        @inline(__always)
        mutating func insert(_ name: FieldName) { bits |= 1 << UInt64(name.rawValue & 63) }

        @inline(__always)
        func mayContain(_ name: FieldName) -> Bool { bits >> UInt64(name.rawValue & 63) & 1 == 1 }
    }

    /// How many bytes precede a value, or the place of one.
    static let headerBytes = 4
    /// Marks a line whose value lies elsewhere in the buffer.
    private static let repeatedFlag: UInt8 = 0x80
    /// The longest value that a length of three bytes can state.
    static let longestValue = 0xFF_FFFF

    /// No field lines.
    init() {
        start = 0
        end = 0
    }

    /// The lines in a stretch of a buffer of an arena that is still being filled.
    ///
    /// `host` is the number of the host that Host names; −1 for none.
    init(buffer: Int, range: Range<Int>, names: NameSet, host: Int32) {
        self.names = names
        self.host = host
        start = UInt32(range.lowerBound)
        end = UInt32(range.upperBound)
        self.buffer = UInt32(buffer)
    }

    /// Shares the buffer that the lines lie in, which `buffer` hands out by its number.
    mutating func share(_ buffer: (Int) -> [UInt8]) {
        if start < end, storage.isEmpty { storage = buffer(Int(self.buffer)) }
    }

    /// Asks for the first of the lines in the buffers of an arena.
    func prefetch(in buffers: [[UInt8]]) {
        if start < end { buffers[Int(buffer)].prefetch(Int(start), byteCount: CacheLine.bytes) }
    }

    /// The same with all buffers of an arena.
    mutating func share(_ buffers: [[UInt8]]) { share { buffers[$0] } }

    /// The number of the host, where nothing but Host names it; `nil` where it has none (see `HostNumbers`).
    var hostNumber: Int? { host < 0 ? nil : Int(host) }

    /// How many lines there are.
    public var count: Int {
        var count = 0
        forEach { name, _ in
            if !name.isOfStartLine { count += 1 }
            return true
        }
        return count
    }

    /// What stands before a value of this length, or before the place of one.
    @inline(__always)
    static func header(_ name: FieldName, _ length: Int, isRepeated: Bool = false) -> UInt32 {
        UInt32(name.rawValue | (isRepeated ? repeatedFlag : 0)) | UInt32(truncatingIfNeeded: length) << 8
    }

    /// Hands every line in wire order to `body`, until that returns `false`.
    @inline(__always)
    private func forEach(_ body: (FieldName, Range<Int>) -> Bool) {
        guard start < end, !storage.isEmpty else { return }
        withBytes(of: storage) { bytes in
            var position = Int(start)
            while position < Int(end) {
                let header = Int(bytes.bigEndian32(position).byteSwapped)
                let name = FieldName(rawValue: UInt8(truncatingIfNeeded: header) & ~FieldLines.repeatedFlag)
                let length = header >> 8
                position += FieldLines.headerBytes
                var place = position
                if UInt8(truncatingIfNeeded: header) & FieldLines.repeatedFlag == 0 {
                    position += length
                } else {
                    place = Int(bytes.bigEndian32(position).byteSwapped)
                    position += FieldLines.headerBytes
                }
                if !body(name, place..<(place + length)) { return }
            }
        }
    }

    /// Whether a line with this name may be present: a quick look, which tells that most are not.
    @inline(__always)
    func mayContain(_ name: FieldName) -> Bool { names.mayContain(name) }

    /// Whether a line with this name is present, be its value empty or not.
    public func contains(_ name: FieldName) -> Bool { range(of: name) != nil }

    /// The value of Host, where the request target starts with a slash; `nil` otherwise.
    var namingHost: ArraySlice<UInt8>? {
        names.mayContain(.host) && first(.requestTarget)?.first == UInt8(ascii: "/") ? first(.host) : nil
    }

    /// The values of all lines with this name, as bytes.
    public func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        guard names.mayContain(name) else { return [] }
        var values: [ArraySlice<UInt8>] = []
        forEach { lineName, value in
            if lineName == name { values.append(storage[value]) }
            return true
        }
        return values
    }

    /// The value of the first line with this name, as bytes; `nil` where there is none.
    public func first(_ name: FieldName) -> ArraySlice<UInt8>? { range(of: name).map { storage[$0] } }

    /// Where the value of the first line with this name lies in the buffer.
    private func range(of name: FieldName) -> Range<Int>? {
        guard names.mayContain(name) else { return nil }
        var found: Range<Int>?
        forEach { lineName, value in
            if lineName == name { found = value }
            return found == nil
        }
        return found
    }

    /// The value of the first line with this name as text; see `FieldLines.text(_:)`.
    public func text(of name: FieldName) -> String? { first(name).map(FieldLines.text) }

    /// The values of all lines with this name as text; see `FieldLines.text(_:)`.
    public func texts(of name: FieldName) -> [String] { values(of: name).map(FieldLines.text) }

    /// Field bytes as text; see `fieldText(_:)`.
    public static func text(_ bytes: ArraySlice<UInt8>) -> String {
        fieldText(bytes)
    }

    /// Every line in wire order, as name and value bytes.
    public var all: [(name: FieldName, value: ArraySlice<UInt8>)] {
        var lines: [(name: FieldName, value: ArraySlice<UInt8>)] = []
        forEach { name, value in
            if !name.isOfStartLine { lines.append((name, storage[value])) }
            return true
        }
        return lines
    }
}
