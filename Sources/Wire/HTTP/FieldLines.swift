/// The field lines of one message that the analysis looks at, in wire order, repeated ones kept apart.
///
/// All values lie in one buffer, so that a message costs two allocations however many fields it has.
///
/// - Source: RFC 9110 §5.2.
public struct FieldLines: Sendable {
    private struct Line: Sendable {
        let name: FieldName
        let start: UInt32
        let end: UInt32
    }

    private var lines: [Line] = []
    private var storage: [UInt8] = []

    /// No field lines.
    public init() {}

    /// How many lines there are.
    public var count: Int { lines.count }

    /// Adds a line at the end.
    ///
    /// The value is kept as given: trim optional white space and unfold first.
    public mutating func append(_ name: FieldName, value: some Sequence<UInt8>) {
        let start = UInt32(storage.count)
        storage.append(contentsOf: value)
        lines.append(Line(name: name, start: start, end: UInt32(storage.count)))
    }

    /// Adds a line at the end.
    @inline(__always)
    mutating func append(_ name: FieldName, _ value: RawSpan) {
        let start = UInt32(truncatingIfNeeded: storage.count)
        storage.append(value)
        lines.append(Line(name: name, start: start, end: UInt32(truncatingIfNeeded: storage.count)))
    }

    /// Forgets the lines, and keeps their buffers for the next message.
    mutating func removeAll() {
        lines.removeAll(keepingCapacity: true)
        storage.removeAll(keepingCapacity: true)
    }

    /// A copy in buffers of just the size needed.
    var compacted: FieldLines {
        var copy = FieldLines()
        guard !lines.isEmpty else { return copy }
        copy.lines.reserveCapacity(lines.count)
        copy.lines.append(contentsOf: lines)
        copy.storage.reserveCapacity(storage.count)
        copy.storage.append(contentsOf: storage)
        return copy
    }

    /// Whether a line with this name is present, be its value empty or not.
    public func contains(_ name: FieldName) -> Bool { lines.contains { $0.name == name } }

    /// The values of all lines with this name, as bytes.
    public func values(of name: FieldName) -> [ArraySlice<UInt8>] {
        lines.compactMap { $0.name == name ? storage[Int($0.start)..<Int($0.end)] : nil }
    }

    /// The value of the first line with this name, as bytes; `nil` where there is none.
    public func first(_ name: FieldName) -> ArraySlice<UInt8>? {
        lines.first { $0.name == name }.map { storage[Int($0.start)..<Int($0.end)] }
    }

    /// The value of the first line with this name as text; see `FieldLines.text(_:)`.
    public func text(of name: FieldName) -> String? { first(name).map(FieldLines.text) }

    /// The values of all lines with this name as text; see `FieldLines.text(_:)`.
    public func texts(of name: FieldName) -> [String] { values(of: name).map(FieldLines.text) }

    /// Field bytes as text: UTF-8 where they are valid UTF-8, ISO 8859-1 otherwise, so that no byte is lost.
    ///
    /// - Source: RFC 9110 §5.5 (historically ISO 8859-1; other charsets are opaque data).
    public static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// Every line in wire order, as name and value bytes.
    public var all: [(name: FieldName, value: ArraySlice<UInt8>)] {
        lines.map { ($0.name, storage[Int($0.start)..<Int($0.end)]) }
    }
}
