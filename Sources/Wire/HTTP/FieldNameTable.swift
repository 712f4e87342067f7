/// Finds the known name of a field, without building a string: by length, then by first letter, then byte by byte.
struct FieldNameTable {
    /// The known names in lower case, one after the other.
    private let letters: [UInt8]
    /// Where each name starts in `letters`.
    private let starts: [Int]
    /// The raw values of the names of each length.
    private let byLength: [[UInt8]]

    init() {
        var letters: [UInt8] = []
        var starts: [Int] = []
        let longest = FieldName.canonicalNames.map(\.utf8.count).max() ?? 0
        var byLength = [[UInt8]](repeating: [], count: longest + 1)
        for (index, name) in FieldName.canonicalNames.enumerated() {
            starts.append(letters.count)
            byLength[name.utf8.count].append(UInt8(index))
            letters += name.lowercased().utf8
        }
        self.letters = letters
        self.starts = starts
        self.byLength = byLength
    }

    /// The known name in a range of a span; `nil` for any other.
    @inline(__always)
    func name(in bytes: RawSpan, _ range: Range<Int>) -> FieldName? {
        guard range.count < byLength.count, !range.isEmpty else { return nil }
        for candidate in byLength[range.count] where matches(candidate, bytes, range) {
            return FieldName(rawValue: candidate)
        }
        return nil
    }

    @inline(__always)
    private func matches(_ candidate: UInt8, _ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        let start = starts[Int(candidate)]
        for offset in 0..<range.count {
            let byte = bytes.byte(range.lowerBound &+ offset)
            // ASCII upper case differs from lower case in one bit; no other byte that a name may hold becomes a letter by it.
            let lower = byte &- 0x41 < 26 ? byte | 0x20 : byte
            if lower != letters[start &+ offset] { return false }
        }
        return true
    }
}
