/// Finds the known name of a field, without building a string: by length and first letter, then eight bytes at a time.
struct FieldNameTable {
    /// Eight bytes of a name in lower case, the first byte highest; the last word is filled up with zeros.
    private struct Word {
        var letters: UInt64 = 0
        /// The bits in which a name in another letter case differs: one in each byte that is a letter.
        var caseBits: UInt64 = 0
    }

    /// The words of all names, one name after the other.
    private let words: [Word]
    /// Where each name starts in `words`.
    private let starts: [Int]
    /// The length of each name, in bytes.
    private let lengths: [Int]
    /// The first name of each length and first letter, by both; `none` where there is none.
    private let first: [UInt8]
    /// The next name of the same length and first letter, by raw value.
    private let following: [UInt8]

    private static let none = UInt8.max

    init() {
        var words: [Word] = []
        var starts: [Int] = []
        var first = [UInt8](repeating: FieldNameTable.none, count: 1 << 11)
        var following: [UInt8] = []
        for (index, name) in FieldName.canonicalNames.enumerated() {
            let letters = Array(name.lowercased().utf8)
            starts.append(words.count)
            words += FieldNameTable.words(of: letters)
            let slot = FieldNameTable.slot(length: letters.count, first: letters[0])
            following.append(first[slot])
            first[slot] = UInt8(index)
        }
        self.words = words
        self.starts = starts
        lengths = FieldName.canonicalNames.map(\.utf8.count)
        self.first = first
        self.following = following
    }

    private static func words(of letters: [UInt8]) -> [Word] {
        stride(from: 0, to: letters.count, by: 8).map { start in
            var word = Word()
            for offset in 0..<8 {
                let letter = start + offset < letters.count ? letters[start + offset] : 0
                word.letters = word.letters << 8 | UInt64(letter)
                word.caseBits = word.caseBits << 8 | (letter &- 0x61 < 26 ? 0x20 : 0)
            }
            return word
        }
    }

    /// The place of a length and a first letter, of either case, in `first`.
    @inline(__always)
    private static func slot(length: Int, first: UInt8) -> Int { (length & 63) << 5 | Int(first & 31) }

    /// The known name in a range of a span; `nil` for any other.
    @inline(__always)
    func name(in bytes: RawSpan, _ range: Range<Int>) -> FieldName? {
        guard !range.isEmpty else { return nil }
        var candidate = first[FieldNameTable.slot(length: range.count, first: bytes.byte(range.lowerBound))]
        while candidate != FieldNameTable.none {
            if matches(candidate, bytes, range) { return FieldName(rawValue: candidate) }
            candidate = following[Int(candidate)]
        }
        return nil
    }

    private func matches(_ candidate: UInt8, _ bytes: RawSpan, _ range: Range<Int>) -> Bool {
        guard lengths[Int(candidate)] == range.count else { return false }
        var index = starts[Int(candidate)]
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(8, range.upperBound - offset)
            let word = bytes.bigEndian(at: offset, count: count)
            if (word ^ words[index].letters) & ~words[index].caseBits != 0 { return false }
            offset += count
            index += 1
        }
        return true
    }
}
