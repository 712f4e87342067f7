/// Numbers the hosts that requests name, so that whoever groups requests by host need not compare names again.
///
/// What has the same number is the same host. The other way round it is not promised: of hosts that fall on the same slot only
/// the latest is remembered, so that a capture with a million hosts needs no more room than one with a few.
struct HostNumbers {
    private struct Slot {
        var number: Int32 = -1
        var length: Int32 = 0
    }

    private static let slotBits: UInt64 = 12
    /// The longest name that is numbered.
    private static let longestName = 64

    private var slots = [Slot](repeating: Slot(), count: 1 << HostNumbers.slotBits)
    /// The names, one behind the other in the order of the slots: together they lie in a few cache lines.
    private var names = [UInt8](repeating: 0, count: longestName << HostNumbers.slotBits)
    /// How many numbers were given.
    private(set) var count: Int32 = 0

    /// The number of a name; −1 where it gets none.
    mutating func number(of name: RawSpan) -> Int32 {
        guard 0 < name.byteCount, name.byteCount <= HostNumbers.longestName else { return -1 }
        let slot = HostNumbers.slot(of: name)
        let start = slot * HostNumbers.longestName
        if Int(slots[slot].length) == name.byteCount, names.holds(name, at: start) { return slots[slot].number }
        names.write(name, at: start)
        slots[slot] = Slot(number: count, length: Int32(name.byteCount))
        count += 1
        return count - 1
    }

    private static func slot(of name: RawSpan) -> Int {
        var hash = UInt64(name.byteCount)
        var offset = 0
        while offset < name.byteCount {
            hash = (hash ^ name.bigEndian(at: offset, count: min(8, name.byteCount - offset))) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            offset += 8
        }
        return Int((hash &* 0x9E37_79B9_7F4A_7C15) >> (64 - slotBits))
    }
}
