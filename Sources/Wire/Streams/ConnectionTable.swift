import AuthScanNativeCodecs

/// Finds a connection by the two ends of a packet: open addressing, linear probing, a seeded hash.
///
/// An entry is the upper half of the hash and the connection's index; the addresses themselves lie in the connection, which the
/// caller compares. The seed differs from run to run so that nobody can prepare a capture whose connections collide.
struct ConnectionTable {
    /// hash(32) | index + 1 (32); zero is free.
    private var entries = [UInt64](repeating: 0, count: 1 << 12)
    private var used = 0
    /// How often entries were added or replaced: what was found before the last change may not hold any more.
    private(set) var changes = 0
    private let seed = UInt64.random(in: .min ... .max) | 1

    /// The same for both directions of a connection.
    @inline(__always)
    func hash(of segment: TCPSegment) -> UInt64 {
        let source = mix(
            segment.sourceHigh ^ (segment.sourceLow << 16) ^ (segment.sourceLow >> 48),
            UInt64(segment.sourcePort)
        )
        let destination = mix(
            segment.destinationHigh ^ (segment.destinationLow << 16) ^ (segment.destinationLow >> 48),
            UInt64(segment.destinationPort)
        )
        return mix(source &+ destination, source ^ destination)
    }

    /// Multiplies to 128 bits and folds the halves together.
    @inline(__always)
    private func mix(_ value: UInt64, _ other: UInt64) -> UInt64 {
        let product = (value ^ seed).multipliedFullWidth(by: other ^ 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    /// The first place to look at for a hash.
    @inline(__always)
    func slot(for hash: UInt64) -> Int { Int(truncatingIfNeeded: hash >> 32) & (entries.count &- 1) }

    /// The connection index at the first matching entry at or behind `slot`, which moves behind it; `nil` at a free entry.
    @inline(__always)
    func next(_ hash: UInt64, from slot: inout Int) -> Int? {
        while true {
            let entry = entries[slot]
            if entry == 0 { return nil }
            slot = (slot &+ 1) & (entries.count &- 1)
            if entry >> 32 == hash >> 32 { return Int(truncatingIfNeeded: entry & 0xFFFF_FFFF) &- 1 }
        }
    }

    /// Asks for the entry where a hash is looked for first.
    @inline(__always)
    func prefetch(_ hash: UInt64) { entries.prefetch(slot(for: hash)) }

    /// The connection index of the first entry that matches a hash; −1 where there is none.
    @inline(__always)
    func first(_ hash: UInt64) -> Int32 {
        var slot = slot(for: hash)
        return next(hash, from: &slot).map { Int32(truncatingIfNeeded: $0) } ?? -1
    }

    /// Replaces the index of an entry: the same two ends began another connection.
    mutating func replace(_ old: Int, by new: Int, hash: UInt64) {
        var slot = slot(for: hash)
        let entry = (hash >> 32) << 32 | UInt64(old + 1)
        while entries[slot] != entry {
            if entries[slot] == 0 { return }
            slot = (slot + 1) & (entries.count - 1)
        }
        entries[slot] = (hash >> 32) << 32 | UInt64(new + 1)
        changes += 1
    }

    /// Adds a connection.
    mutating func insert(_ index: Int, hash: UInt64) {
        if used * 10 >= entries.count * 7 { grow() }
        place((hash >> 32) << 32 | UInt64(index + 1))
        used += 1
        changes += 1
    }

    private mutating func place(_ entry: UInt64) {
        var slot = slot(for: entry)
        while entries[slot] != 0 { slot = (slot + 1) & (entries.count - 1) }
        entries[slot] = entry
    }

    /// Doubles the table.
    ///
    /// The half of the hash that an entry holds is the half that places it.
    private mutating func grow() {
        let old = entries
        entries = [UInt64](repeating: 0, count: old.count * 2)
        for entry in old where entry != 0 { place(entry) }
    }
}
