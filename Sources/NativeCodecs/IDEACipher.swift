/// The block cipher IDEA, which many builds of libcrypto lack: it was under patent until 2012.
///
/// - Source: X. Lai, J. L. Massey, S. Murphy, "Markov Ciphers and Differential Cryptanalysis" (EUROCRYPT '91); RFC 5469 for TLS.
struct IDEACipher: Sendable {
    /// The length of the key, in bytes.
    static let keyBytes = 16
    /// The length of a block, in bytes.
    static let blockBytes = 8

    /// Six subkeys for each of eight rounds, and four for the output transformation, in the order in which decryption takes them.
    private let subkeys: [UInt16]

    /// Prepares decryption with a key; `nil` where its length is wrong.
    init?(key: [UInt8]) {
        guard key.count == IDEACipher.keyBytes else { return nil }
        subkeys = IDEACipher.inverted(IDEACipher.expanded(IDEACipher.words(key)))
    }

    /// Decrypts whole blocks in CBC mode; writes the plaintext, which is as long, to the start of `output`.
    func decrypt(_ blocks: [UInt8], vector: [UInt8], into output: inout [UInt8]) {
        var before = vector[...]
        for start in stride(from: 0, to: blocks.count, by: IDEACipher.blockBytes) {
            let block = blocks[start..<(start + IDEACipher.blockBytes)]
            for (index, byte) in decrypt(block).enumerated() {
                output[start + index] = byte ^ before[before.startIndex + index]
            }
            before = block
        }
    }

    private func decrypt(_ block: ArraySlice<UInt8>) -> [UInt8] {
        var text = IDEACipher.words(block)
        for start in stride(from: 0, to: 48, by: 6) { transform(&text, subkeys[start..<(start + 6)]) }
        // The output transformation, which takes back the last exchange of the middle words.
        text.swapAt(1, 2)
        mix(&text, subkeys[48...])
        return text.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    }

    /// One round.
    private func transform(_ text: inout [UInt16], _ keys: ArraySlice<UInt16>) {
        mix(&text, keys)
        let first = IDEACipher.product(text[0] ^ text[2], keys[keys.startIndex + 4])
        let second = IDEACipher.product(first &+ (text[1] ^ text[3]), keys[keys.startIndex + 5])
        let third = first &+ second
        text = [text[0] ^ second, text[2] ^ second, text[1] ^ third, text[3] ^ third]
    }

    /// Takes four subkeys in: by multiplication outside, by addition in the middle.
    private func mix(_ text: inout [UInt16], _ keys: ArraySlice<UInt16>) {
        text[0] = IDEACipher.product(text[0], keys[keys.startIndex])
        text[1] &+= keys[keys.startIndex + 1]
        text[2] &+= keys[keys.startIndex + 2]
        text[3] = IDEACipher.product(text[3], keys[keys.startIndex + 3])
    }
}

// MARK: - Subkeys

extension IDEACipher {
    /// The eight words of the key, and the same again, turned left by 25 bits, until there are 52.
    private static func expanded(_ key: [UInt16]) -> [UInt16] {
        (0..<52).map { index in
            let bit = 25 * (index / 8) + 16 * (index % 8)
            let (word, shift) = (bit / 16, bit % 16)
            return key[word % 8] << shift | key[(word + 1) % 8] >> (16 - shift)
        }
    }

    /// The subkeys that undo what others do: the opposites of those that are taken in, last round first.
    private static func inverted(_ subkeys: [UInt16]) -> [UInt16] {
        var inverted: [UInt16] = []
        for start in stride(from: 48, through: 0, by: -6) {
            // Between two rounds the middle words have changed places.
            let (second, third) = start == 48 || start == 0 ? (1, 2) : (2, 1)
            inverted += [
                inverse(subkeys[start]), 0 &- subkeys[start + second], 0 &- subkeys[start + third],
                inverse(subkeys[start + 3]),
            ]
            if start > 0 { inverted += subkeys[(start - 2)..<start] }
        }
        return inverted
    }

    /// The product modulo 2^16 + 1, where zero stands for 2^16.
    private static func product(_ left: UInt16, _ right: UInt16) -> UInt16 {
        let (left, right) = (left == 0 ? 0x1_0000 : UInt64(left), right == 0 ? 0x1_0000 : UInt64(right))
        return UInt16(truncatingIfNeeded: left * right % 0x1_0001)
    }

    /// What gives one, multiplied by a number: the modulus is prime, so that it is the number to the power of 2^16 - 1.
    private static func inverse(_ number: UInt16) -> UInt16 {
        (1..<16).reduce(number) { power, _ in product(product(power, power), number) }
    }

    /// Pairs of bytes, most significant first.
    private static func words(_ bytes: some RandomAccessCollection<UInt8>) -> [UInt16] {
        let bytes = Array(bytes)
        return stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
    }
}
