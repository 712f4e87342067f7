/// Field octets as text: UTF-8 where they are valid UTF-8, ISO 8859-1 otherwise, so that no octet is lost.
///
/// - Source: RFC 9110 §5.5 (historically ISO 8859-1; other charsets are opaque data).
public func fieldText(_ octets: ArraySlice<UInt8>) -> String {
    // Nearly always; `decoding` is the quick way, and has nothing to repair in ASCII.
    if octets.allSatisfy({ $0 < 0x80 }) { return String(decoding: octets, as: UTF8.self) }
    return String(validating: octets, as: UTF8.self) ?? latin1Text(octets)
}

/// Octets as ISO 8859-1, in which every octet is a character.
public func latin1Text(_ octets: some Sequence<UInt8>) -> String {
    String(String.UnicodeScalarView(octets.map { Unicode.Scalar($0) }))
}

extension ArraySlice<UInt8> {
    /// Whether a word that is not empty stands among the octets.
    public func contains(octets word: [UInt8]) -> Bool {
        guard let first = word.first, count >= word.count else { return false }
        return self[...(endIndex - word.count)].indices.contains { self[$0] == first && self[$0...].starts(with: word) }
    }
}
