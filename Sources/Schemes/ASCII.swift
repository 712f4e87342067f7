extension UInt8 {
    /// The byte in lower case where it is an ASCII letter, else itself.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension String {
    /// Whether the text equals another but for the case of ASCII letters.
    func isASCIIEqual(to other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        // Most names come as their specification spells them, and two short strings compare as two words.
        if self == other { return true }
        var letters = other.utf8.makeIterator()
        for letter in utf8 where letter.asciiLowercased != letters.next()?.asciiLowercased { return false }
        return true
    }
}
