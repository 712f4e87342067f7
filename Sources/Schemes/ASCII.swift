extension UInt8 {
    /// The byte in lower case where it is an ASCII letter, else itself.
    var asciiLowercased: UInt8 { (0x41...0x5A).contains(self) ? self | 0x20 : self }
}

extension String {
    /// Whether the text equals another but for the case of ASCII letters.
    func isASCIIEqual(to other: String) -> Bool {
        utf8.count == other.utf8.count
            && utf8.elementsEqual(other.utf8) { $0.asciiLowercased == $1.asciiLowercased }
    }
}
