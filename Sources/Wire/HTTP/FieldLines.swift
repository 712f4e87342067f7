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
    /// The buffer that they lie in; empty where there are none.
    private let storage: [UInt8]
    private let place: FieldPlace

    /// How many bytes precede a value, or the place of one.
    static let headerBytes = 4
    /// Marks a line whose value lies elsewhere in the buffer.
    private static let repeatedFlag: UInt8 = 0x80
    /// The longest value that a length of three bytes can state.
    static let longestValue = 0xFF_FFFF

    /// The lines at a place in one of the buffers of a completed arena.
    init(_ place: FieldPlace, in buffers: [[UInt8]]) { self.init(place) { buffers[$0] } }

    /// The lines at a place in one of the buffers that `buffers` hands out by their numbers.
    init(_ place: FieldPlace, in buffers: (Int) -> [UInt8]) {
        self.place = place
        storage = place.storage(in: buffers)
    }

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
        withBytes(of: storage) { bytes in
            var position = place.range.lowerBound
            while position < place.range.upperBound {
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

    /// Whether a line with this name is present, be its value empty or not.
    public func contains(_ name: FieldName) -> Bool { range(of: name) != nil }

    /// The value of Host, where the request target starts with a slash; `nil` otherwise.
    var namingHost: ArraySlice<UInt8>? {
        place.mayContain(.host) && first(.requestTarget)?.first == UInt8(ascii: "/") ? first(.host) : nil
    }

    /// The value of the only line with this name, as bytes; `nil` where there is none or several.
    func only(_ name: FieldName) -> ArraySlice<UInt8>? {
        var (range, count) = (0..<0, 0)
        forEach { lineName, value in
            if lineName == name {
                range = value
                count += 1
            }
            return true
        }
        return count == 1 ? storage[range] : nil
    }

    /// The values of all lines with this name, as bytes.
    public func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        guard place.mayContain(name) else { return [] }
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
        guard place.mayContain(name) else { return nil }
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
