/// Bytes as the key of a dictionary.
///
/// An array hashes each byte on its own; this takes eight at once.
struct ByteKey: Hashable, Sendable {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func hash(into hasher: inout Hasher) {
        withBytes(of: bytes) { span in
            var offset = 0
            while offset < span.byteCount {
                let count = min(8, span.byteCount - offset)
                hasher.combine(span.bigEndian(at: offset, count: count))
                offset += count
            }
            hasher.combine(span.byteCount)
        }
    }
}
