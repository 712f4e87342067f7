/// Finds the known name that a field line begins with, without looking for its end first: its first eight letters lead to the
/// names that share them, and the rest is compared eight letters at a time.
struct FieldNameTable {
    /// The first eight bytes of a name in lower case, the first byte highest, and which of their bits count.
    private struct Word {
        var letters: UInt64 = 0
        /// The bits that have to agree: not the one in which a letter of the other case differs, nor any behind the name.
        var mask: UInt64 = 0
    }

    /// A known name; small, so that the table stays in the cache.
    private struct Entry {
        let first: Word
        let name: FieldName
        let length: UInt8
        /// The place of its further words.
        let rest: UInt8
        /// The place of the next name that its first letters may stand for, plus one; zero where there is none.
        let next: UInt8
    }

    private let entries: [Entry]
    /// The place of the first name for each slot, plus one; zero where there is none.
    private let slots: [UInt8]
    /// The words of the names behind their first ones.
    private let words: [Word]

    init() {
        var entries: [Entry] = []
        var words: [Word] = []
        var slots = [UInt8](repeating: 0, count: 256)
        for (index, name) in FieldName.canonicalNames.enumerated() {
            let all = FieldNameTable.words(of: Array(name.lowercased().utf8))
            let slot = FieldNameTable.slot(for: FieldNameTable.folded(all[0].letters))
            entries.append(
                Entry(
                    first: all[0],
                    name: FieldName(rawValue: UInt8(index)),
                    length: UInt8(name.utf8.count),
                    rest: UInt8(words.count),
                    next: slots[slot]
                )
            )
            slots[slot] = UInt8(entries.count)
            words += all.dropFirst()
        }
        self.entries = entries
        self.words = words
        self.slots = slots
    }

    /// Eight bytes of a line without what is behind the name, and without the case of letters.
    ///
    /// A name ends before a colon, or before a byte below `-`, the lowest one in known names.
    @inline(__always)
    private static func folded(_ word: UInt64) -> UInt64 {
        let (sevenBits, highBits) = (0x7F7F_7F7F_7F7F_7F7F as UInt64, 0x8080_8080_8080_8080 as UInt64)
        let fromColon = word ^ 0x3A3A_3A3A_3A3A_3A3A
        let isOther = ((fromColon & sevenBits) &+ sevenBits) | fromColon
        let isInName = ((word & sevenBits) &+ 0x5353_5353_5353_5353) | word
        let end = ~(isOther & isInName) & highBits
        let behind = end == 0 ? 0 : UInt64.max &>> UInt64(end.leadingZeroBitCount & 0x38)
        return (word | 0x2020_2020_2020_2020) & ~behind
    }

    /// Where the names with these first letters are looked up.
    @inline(__always)
    private static func slot(for folded: UInt64) -> Int {
        Int(truncatingIfNeeded: (folded &* 0x9E37_79B9_7F4A_7C15) >> 56)
    }

    private static func words(of letters: [UInt8]) -> [Word] {
        stride(from: 0, to: letters.count, by: 8).map { start in
            var word = Word()
            for offset in 0..<8 {
                let isLetter = start + offset < letters.count
                let letter = isLetter ? letters[start + offset] : 0
                word.letters = word.letters << 8 | UInt64(letter)
                let mask: UInt8 = isLetter ? letter &- 0x61 < 26 ? 0xDF : 0xFF : 0
                word.mask = word.mask << 8 | UInt64(mask)
            }
            return word
        }
    }

    /// The known name that the line in `line` begins with, and where the value behind its colon starts.
    ///
    /// `nil` for any other name, and where there is no colon.
    @inline(__always)
    func name(in bytes: RawSpan, _ line: Range<Int>) -> (name: FieldName, valueStart: Int)? {
        let word = bytes.paddedBigEndian64(line.lowerBound)
        var place = Int(slots[FieldNameTable.slot(for: FieldNameTable.folded(word))])
        while place > 0 {
            let entry = entries[place &- 1]
            if (word ^ entry.first.letters) & entry.first.mask == 0, let colon = colon(behind: entry, in: bytes, line) {
                return (entry.name, colon &+ 1)
            }
            place = Int(entry.next)
        }
        return nil
    }

    /// Where the colon is, if the rest of the name agrees as well.
    @inline(__always)
    private func colon(behind entry: Entry, in bytes: RawSpan, _ line: Range<Int>) -> Int? {
        let end = line.lowerBound &+ Int(entry.length)
        guard end < line.upperBound else { return nil }
        var offset = line.lowerBound &+ 8
        var index = Int(entry.rest)
        while offset < end {
            let word = bytes.paddedBigEndian64(offset)
            if (word ^ words[index].letters) & words[index].mask != 0 { return nil }
            offset &+= 8
            index &+= 1
        }
        // "No whitespace is allowed between the field name and colon": servers that send it are understood all the same.
        var colon = end
        while colon < line.upperBound, bytes.byte(colon) == 0x20 || bytes.byte(colon) == 0x09 { colon &+= 1 }
        return colon < line.upperBound && bytes.byte(colon) == 0x3A ? colon : nil
    }
}
