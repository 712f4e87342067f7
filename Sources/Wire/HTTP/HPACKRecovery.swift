import AuthScanNativeCodecs

/// Reads header blocks whose dynamic table is not known: behind a gap, or where the capture starts in the middle.
///
/// Entries that were added since are known, and counted from the newest, as the format counts them; a reference to an older one
/// gives nothing. Every single representation is decoded by the ordinary inflater, made to stand on its own.
///
/// ```
/// 1 index(7+)                                     indexed field
/// 01 index(6+) [name] value                       literal, added to the table
/// 001 size(5+)                                    table size update
/// 0000 index(4+) [name] value                     literal, not added (0001: never)
/// name, value: huffman flag(1) length(7+) octets
/// ```
///
/// - Source: RFC 7541 §6 and §5.
struct HPACKRecovery {
    /// A field of which at least the name is known; `nil` where not even that.
    typealias Field = (name: [UInt8], value: [UInt8])?

    /// The entries that were added, the newest last.
    private var added: [Field] = []

    private static let staticCount = 61
    /// How many entries are remembered: as many as fit into a table of the usual size.
    private static let memory = 128

    /// Reads a block up to its first damage; returns its fields, `nil` for each that is not known.
    mutating func decode(_ block: [UInt8]) -> [Field] {
        var fields: [Field] = []
        var position = 0
        while position < block.count {
            let start = position
            let first = block[position]
            if first & 0x80 != 0 {
                guard let index = integer(block, at: &position, bits: 7) else { break }
                fields.append(entry(index, whole: Array(block[start..<position])))
            } else if first & 0xE0 == 0x20 {
                guard integer(block, at: &position, bits: 5) != nil else { break }
            } else {
                let isAdded = first & 0x40 != 0
                guard let field = literal(block, at: &position, bits: isAdded ? 6 : 4) else { break }
                fields.append(field)
                if isAdded { add(field) }
            }
        }
        return fields
    }

    private mutating func add(_ field: Field) {
        added.append(field)
        if added.count > HPACKRecovery.memory { added.removeFirst() }
    }

    /// The field that an index stands for.
    private func entry(_ index: Int, whole: [UInt8]) -> Field {
        if index <= HPACKRecovery.staticCount { return single(whole) }
        let place = added.count - (index - HPACKRecovery.staticCount)
        return added.indices.contains(place) ? added[place] : nil
    }

    /// A literal; `nil` where it is cut, and a field of `nil` where its name is not known.
    private func literal(_ block: [UInt8], at position: inout Int, bits: Int) -> Field? {
        let start = position
        guard let index = integer(block, at: &position, bits: bits) else { return nil }
        if index == 0 { guard skipString(block, at: &position) else { return nil } }
        let value = position
        guard skipString(block, at: &position) else { return nil }
        if index <= HPACKRecovery.staticCount { return single(Array(block[start..<position])) }
        guard let named = entry(index, whole: []) else { return .some(nil) }
        // The same value under a name that stands on its own.
        let text = single([0x00, 0x01, 0x78] + block[value..<position])?.value
        return text.map { (named.name, $0) }
    }

    /// Decodes one representation that refers to nothing.
    private func single(_ bytes: [UInt8]) -> Field {
        var field: Field = nil
        // What the inflater refuses is not known.
        _ = try? HPACKInflater()?.inflate(bytes, limit: .max) { field = ($0, $1) }
        return field
    }

    private func skipString(_ block: [UInt8], at position: inout Int) -> Bool {
        guard position < block.count, let length = integer(block, at: &position, bits: 7),
            length <= block.count - position
        else { return false }
        position += length
        return true
    }

    /// An integer with a prefix of so many bits; `nil` where it is cut, or larger than anything that fits a block.
    ///
    /// - Source: RFC 7541 §5.1.
    private func integer(_ block: [UInt8], at position: inout Int, bits: Int) -> Int? {
        guard position < block.count else { return nil }
        let mask = (1 << bits) - 1
        var value = Int(block[position]) & mask
        position += 1
        guard value == mask else { return value }
        for shift in stride(from: 0, through: 28, by: 7) {
            guard position < block.count else { return nil }
            let byte = Int(block[position])
            position += 1
            value += (byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
