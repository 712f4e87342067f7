/// Finds the known name that a field line begins with, without looking for its end first: by first letter, then eight
/// letters at a time.
struct FieldNameTable {
    /// The first eight bytes of a name in lower case, the first byte highest, and which of their bits count.
    private struct Word {
        var letters: UInt64 = 0
        /// The bits that have to agree: not the one in which a letter of the other case differs, nor any behind the name.
        var mask: UInt64 = 0
    }

    /// A known name.
    private struct Entry {
        var name = FieldName(rawValue: 0)
        var length = 0
        var first = Word()
        /// The place of its further words.
        var rest = 0
    }

    /// The names, those with the same first letter one after the other.
    private let entries: [Entry]
    /// Where the names with each first letter start in `entries`, and behind the last letter where they end.
    private let starts: [UInt8]
    /// The words of the names behind their first ones.
    private let words: [Word]

    init() {
        var entries: [Entry] = []
        var words: [Word] = []
        var starts: [UInt8] = []
        for letter in UInt8(0)..<32 {
            starts.append(UInt8(entries.count))
            for (index, name) in FieldName.canonicalNames.enumerated() {
                let letters = Array(name.lowercased().utf8)
                guard letters[0] & 31 == letter else { continue }
                let all = FieldNameTable.words(of: letters)
                entries.append(
                    Entry(
                        name: FieldName(rawValue: UInt8(index)),
                        length: letters.count,
                        first: all[0],
                        rest: words.count
                    )
                )
                words += all.dropFirst()
            }
        }
        starts.append(UInt8(entries.count))
        self.entries = entries
        self.words = words
        self.starts = starts
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
        let start = line.lowerBound
        let letter = Int(bytes.byte(start) & 31)
        let word = bytes.bigEndian(at: start, count: min(8, bytes.byteCount - start))
        for index in Int(starts[letter])..<Int(starts[letter + 1]) {
            let entry = entries[index]
            guard (word ^ entry.first.letters) & entry.first.mask == 0, entry.length < line.count else { continue }
            if let colon = colon(behind: entry, in: bytes, line) { return (entry.name, colon + 1) }
        }
        return nil
    }

    /// Where the colon is, if the rest of the name agrees as well.
    private func colon(behind entry: Entry, in bytes: RawSpan, _ line: Range<Int>) -> Int? {
        let end = line.lowerBound + entry.length
        var offset = line.lowerBound + 8
        var index = entry.rest
        while offset < end {
            let word = bytes.bigEndian(at: offset, count: min(8, bytes.byteCount - offset))
            if (word ^ words[index].letters) & words[index].mask != 0 { return nil }
            offset += 8
            index += 1
        }
        // "No whitespace is allowed between the field name and colon": servers that send it are understood all the same.
        var colon = end
        while colon < line.upperBound, bytes.byte(colon) == 0x20 || bytes.byte(colon) == 0x09 { colon += 1 }
        return colon < line.upperBound && bytes.byte(colon) == 0x3A ? colon : nil
    }
}
