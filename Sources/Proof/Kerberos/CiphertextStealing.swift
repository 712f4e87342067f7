import AuthScanNativeCodecs

/// AES in CBC mode with ciphertext stealing, the last two blocks swapped, under a vector of zeros.
///
/// - Source: RFC 3962 §5; RFC 2040 §8.
enum CiphertextStealing {
    /// The plaintext; empty for less than a block, or a key of a wrong length.
    static func decrypt(_ cipher: ArraySlice<UInt8>, with algorithm: BlockCipher, key: [UInt8]) -> [UInt8] {
        let octets = Array(cipher)
        guard octets.count >= 16 else { return [] }
        guard octets.count > 16 else { return algorithm.decrypt(octets, key: key) }
        let last = octets.count % 16 == 0 ? 16 : octets.count % 16
        let whole = octets.count - 16 - last
        let blocks = whole > 0 ? algorithm.decrypt(Array(octets[..<whole]), key: key) : []
        let stolen = algorithm.decrypt(Array(octets[whole..<(whole + 16)]), key: key)
        guard blocks.count == whole, stolen.count == 16 else { return [] }
        let tail = Array(octets[(whole + 16)...])
        let middle = algorithm.decrypt(tail + stolen[last...], key: key)
        guard middle.count == 16 else { return [] }
        // Each block was mixed with the ciphertext before it; the first with zeros.
        var previous = [UInt8](repeating: 0, count: 16) + octets[..<whole]
        var plain = zip(blocks + middle, previous).map { $0 ^ $1 }
        previous = []
        plain += zip(stolen, tail).map { $0 ^ $1 }
        return plain
    }
}
