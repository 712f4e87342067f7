import AuthScanBytes

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
    private var storage: [UInt8]
    private var start: UInt32
    private var end: UInt32
    /// Which buffer of a `FieldArena` to share once the arena is complete.
    private var buffer: UInt32 = 0
    /// Which names occur: what is asked for most often is not there, and need not be looked for.
    private var names = NameSet()

    /// Names by their raw values modulo 64: a name that is not in the set does not occur.
    struct NameSet {
        private var bits: UInt64 = 0

        @inline(__always)
        mutating func insert(_ name: FieldName) { bits |= 1 << UInt64(name.rawValue & 63) }

        @inline(__always)
        func mayContain(_ name: FieldName) -> Bool { bits >> UInt64(name.rawValue & 63) & 1 == 1 }
    }

    /// How many bytes precede a value.
    static let headerBytes = 4
    /// Marks a line whose value lies elsewhere in the buffer.
    private static let repeatedFlag: UInt8 = 0x80
    /// How many bytes say where.
    private static let placeBytes = 4
    /// The longest value that a length of three bytes can state.
    private static let longestValue = 0xFF_FFFF

    /// No field lines.
    public init() {
        storage = []
        start = 0
        end = 0
    }

    /// The lines in a stretch of a buffer of an arena that is still being filled.
    init(buffer: Int, range: Range<Int>, names: NameSet) {
        storage = []
        self.names = names
        start = UInt32(range.lowerBound)
        end = UInt32(range.upperBound)
        self.buffer = UInt32(buffer)
    }

    /// Shares the buffers of the completed arena.
    mutating func share(_ buffers: [[UInt8]]) {
        if start < end, storage.isEmpty { storage = buffers[Int(buffer)] }
    }

    /// How many lines there are.
    public var count: Int {
        var count = 0
        forEach { _, _ in
            count += 1
            return true
        }
        return count
    }

    /// Adds a line at the end.
    ///
    /// The value is kept as given: trim optional white space and unfold first.
    public mutating func append(_ name: FieldName, value: some Sequence<UInt8>) {
        if start != 0 || Int(end) != storage.count { separate() }
        names.insert(name)
        let header = FieldLines.beginLine(name, in: &storage)
        storage.append(contentsOf: value)
        FieldLines.endLine(header, in: &storage)
        end = UInt32(storage.count)
    }

    /// Copies the lines into a buffer of their own.
    private mutating func separate() {
        var own: [UInt8] = []
        for (name, value) in all {
            let header = FieldLines.beginLine(name, in: &own)
            own.append(contentsOf: value)
            FieldLines.endLine(header, in: &own)
        }
        storage = own
        start = 0
        end = UInt32(own.count)
    }

    /// Adds a line whose value lies in the buffer already.
    static func appendRepeated(_ name: FieldName, _ value: Range<Int>, in storage: inout [UInt8]) {
        storage.append(name.rawValue | repeatedFlag)
        for index in 0..<3 { storage.append(UInt8(truncatingIfNeeded: value.count >> (8 * index))) }
        for index in 0..<placeBytes { storage.append(UInt8(truncatingIfNeeded: value.lowerBound >> (8 * index))) }
    }

    /// Starts a line in a buffer; returns where, for `endLine`.
    static func beginLine(_ name: FieldName, in storage: inout [UInt8]) -> Int {
        storage.append(name.rawValue)
        for _ in 1..<headerBytes { storage.append(0) }
        return storage.count - headerBytes
    }

    /// Completes a line whose value was appended; a value too long to state is cut.
    static func endLine(_ header: Int, in storage: inout [UInt8]) {
        let excess = storage.count - header - headerBytes - longestValue
        if excess > 0 { storage.removeLast(excess) }
        let length = storage.count - header - headerBytes
        for index in 0..<3 { storage[header + 1 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
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
                    position += FieldLines.placeBytes
                }
                if !body(name, place..<(place + length)) { return }
            }
        }
    }

    /// Whether a line with this name is present, be its value empty or not.
    public func contains(_ name: FieldName) -> Bool { first(name) != nil }

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
    public func first(_ name: FieldName) -> ArraySlice<UInt8>? {
        guard names.mayContain(name) else { return nil }
        var found: Range<Int>?
        forEach { lineName, value in
            if lineName == name { found = value }
            return found == nil
        }
        return found.map { storage[$0] }
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
            lines.append((name, storage[value]))
            return true
        }
        return lines
    }
}
