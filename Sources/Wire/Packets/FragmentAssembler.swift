import AuthScanBytes

/// Puts the fragments of IP datagrams together, in whatever order they come.
///
/// The first copy of a byte wins, as in the reassembly of TCP. A datagram that stays incomplete is given up when its time is
/// over or when too many wait; what there is of its start is handed on then, so that a first fragment is not lost with the others.
///
/// - Source: RFC 791 §3.2; RFC 8200 §4.5; RFC 815 for the bookkeeping.
struct FragmentAssembler {
    /// What the fragments of one datagram have in common.
    struct Key: Hashable {
        var sourceHigh: UInt64
        var sourceLow: UInt64
        var destinationHigh: UInt64
        var destinationLow: UInt64
        var identification: UInt32
        /// The protocol of IPv4; 0 in IPv6, where the identification is unique for the two ends.
        var ipProtocol: UInt8
        var isIPv4: Bool
    }

    /// One fragment's place in its datagram.
    struct Fragment {
        var key: Key
        /// Where its bytes go, counted from the start of the datagram's payload.
        var position: Int
        /// How many bytes it states to have; the snapshot length may have cut them.
        var length: Int
        var isLast: Bool
        /// What the payload starts with; that of the first fragment counts.
        var ipProtocol: UInt8
        var packet: Int
        var time: Timestamp
    }

    /// A datagram's payload, whole or as far as it was captured from its start on.
    struct Datagram {
        var key: Key
        var bytes: [UInt8] = []
        /// Where the payload ends, in bytes; where the last fragment was not captured, as far as is known.
        var length = 0
        var ipProtocol: UInt8 = 0
        /// The packet and the time of the fragment that completed it, or that started it where it stayed incomplete.
        var packet: Int
        var time: Timestamp
    }

    fileprivate struct Draft {
        var datagram: Datagram
        /// The stretches that are there: sorted, disjoint, not touching.
        var ranges: [Range<Int>] = []
        /// The payload's length, once the last fragment has said it.
        var total: Int?
        var began: Int
    }

    private var drafts: [Key: Draft] = [:]
    /// The keys in the order in which their first fragments came, with that fragment's count; some may be done with.
    private var order: [(key: Key, began: Int)] = []
    private var orderStart = 0
    private var begun = 0
    /// When datagrams were completed, in nanoseconds since 1970; forgotten now and then.
    private var completed: [Key: Int64] = [:]
    private var waitingBytes = 0

    /// How many datagrams that may have held TCP segments were given up, and the first packet of one.
    private(set) var incomplete = (count: 0, firstPacket: 0)

    private let limits: Limits
    /// What common systems wait; RFC 8200 §4.5 would allow 60 seconds, in which busy senders of IPv4 use numbers again.
    private static let patience: Int64 = 30_000_000_000
    /// No datagram is longer (RFC 791 §3.1).
    private static let longestDatagram = 65_535

    init(limits: Limits) { self.limits = limits }

    /// Takes a fragment; returns its datagram where it is the last that was missing.
    mutating func receive(_ fragment: Fragment, payload: RawSpan) -> Datagram? {
        guard fragment.length > 0, fragment.position + fragment.length <= FragmentAssembler.longestDatagram else {
            return nil
        }
        guard !isCopy(fragment) else { return nil }
        // Taken out of the table, so that its bytes are not copied when they grow.
        var draft = drafts.removeValue(forKey: fragment.key) ?? begin(fragment)
        let before = draft.datagram.bytes.count
        add(fragment, payload, to: &draft)
        if let total = draft.total, draft.ranges == [0..<total] {
            waitingBytes -= before
            noteCompletion(of: fragment)
            draft.datagram.length = total
            draft.datagram.bytes.removeLast(draft.datagram.bytes.count - total)
            draft.datagram.packet = fragment.packet
            draft.datagram.time = fragment.time
            return draft.datagram
        }
        waitingBytes += draft.datagram.bytes.count - before
        drafts[fragment.key] = draft
        return nil
    }

    /// Whether a datagram was completed so shortly before that this can only be another copy of a fragment, from a mirror.
    private func isCopy(_ fragment: Fragment) -> Bool {
        guard let completed = completed[fragment.key] else { return false }
        let age = fragment.time.nanoseconds.subtractingReportingOverflow(completed)
        return !age.overflow && age.partialValue.magnitude < 1_000_000_000
    }

    private mutating func noteCompletion(of fragment: Fragment) {
        if completed.count >= limits.fragmentedDatagrams { completed.removeAll(keepingCapacity: true) }
        completed[fragment.key] = fragment.time.nanoseconds
    }

    private mutating func begin(_ fragment: Fragment) -> Draft {
        begun += 1
        order.append((fragment.key, begun))
        return Draft(
            datagram: Datagram(key: fragment.key, packet: fragment.packet, time: fragment.time),
            began: begun
        )
    }

    private func add(_ fragment: Fragment, _ payload: RawSpan, to draft: inout Draft) {
        let end = fragment.position + fragment.length
        if fragment.isLast, draft.total == nil { draft.total = end }
        if fragment.position == 0, draft.ranges.first?.lowerBound != 0 {
            draft.datagram.ipProtocol = fragment.ipProtocol
        }
        draft.datagram.length = max(draft.datagram.length, end)
        let captured = fragment.position..<(fragment.position + min(fragment.length, payload.byteCount))
        guard !captured.isEmpty else { return }
        for hole in draft.holes(in: captured) {
            let first = hole.lowerBound - fragment.position
            draft.write(payload.extracting(first..<(first + hole.count)), at: hole.lowerBound)
        }
        draft.cover(captured)
    }

    /// The oldest datagram that is to be given up at a time; `nil` where all may go on waiting.
    mutating func giveUp(at time: Timestamp) -> Datagram? {
        while orderStart < order.count {
            let (key, began) = order[orderStart]
            guard let draft = drafts[key], draft.began == began else {
                orderStart += 1
                continue
            }
            let isTooMuch = drafts.count > limits.fragmentedDatagrams || waitingBytes > limits.fragmentBytes
            let age = time.nanoseconds.subtractingReportingOverflow(draft.datagram.time.nanoseconds)
            guard isTooMuch || age.overflow || age.partialValue > FragmentAssembler.patience else { return nil }
            return giveUpFirst(draft, key)
        }
        order.removeAll(keepingCapacity: true)
        orderStart = 0
        return nil
    }

    /// The oldest datagram that is left when the capture is over.
    mutating func giveUpNext() -> Datagram? {
        while orderStart < order.count {
            let (key, began) = order[orderStart]
            if let draft = drafts[key], draft.began == began { return giveUpFirst(draft, key) }
            orderStart += 1
        }
        return nil
    }

    private mutating func giveUpFirst(_ draft: Draft, _ key: Key) -> Datagram {
        orderStart += 1
        if orderStart > 4096 {
            order.removeFirst(orderStart)
            orderStart = 0
        }
        drafts[key] = nil
        waitingBytes -= draft.datagram.bytes.count
        var datagram = draft.datagram
        let start = draft.ranges.first?.lowerBound == 0 ? draft.ranges[0].upperBound : 0
        datagram.bytes.removeLast(datagram.bytes.count - start)
        // The rest of a stretch that the snapshot length cut is missing; a fragment that never came leaves a hole of its own.
        datagram.length = max(start, draft.total ?? datagram.length)
        if mayMatter(datagram) {
            incomplete = (incomplete.count + 1, incomplete.count == 0 ? datagram.packet : incomplete.firstPacket)
        }
        return datagram
    }
}

extension FragmentAssembler {
    /// Whether a datagram may have held a TCP segment: anything but UDP, which does so in tunnels alone.
    private func mayMatter(_ datagram: Datagram) -> Bool {
        let isUDP = datagram.ipProtocol == IPHeader.Number.udp || datagram.key.ipProtocol == IPHeader.Number.udp
        guard isUDP else { return true }
        guard datagram.bytes.count >= 4 else { return false }
        return withBytes(of: datagram.bytes) {
            TunnelPort.isRead($0.bigEndian16(0)) || TunnelPort.isRead($0.bigEndian16(2))
        }
    }
}

extension FragmentAssembler.Draft {
    /// The first stretch that ends at or behind a position, by bisection.
    private func firstRange(reaching position: Int) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound >= position { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The parts of a stretch that are not there yet.
    func holes(in wanted: Range<Int>) -> [Range<Int>] {
        var holes: [Range<Int>] = []
        var position = wanted.lowerBound
        var index = firstRange(reaching: position)
        while position < wanted.upperBound {
            let next = index < ranges.count ? ranges[index] : wanted.upperBound..<wanted.upperBound
            if position < next.lowerBound { holes.append(position..<min(next.lowerBound, wanted.upperBound)) }
            position = max(position, next.upperBound)
            index += 1
        }
        return holes
    }

    /// Puts bytes at their place.
    mutating func write(_ part: RawSpan, at position: Int) {
        if position > datagram.bytes.count {
            datagram.bytes += repeatElement(0, count: position - datagram.bytes.count)
        }
        if position == datagram.bytes.count { return datagram.bytes.append(part) }
        for offset in 0..<part.byteCount { datagram.bytes[position + offset] = part.byte(offset) }
    }

    /// Notes that a stretch is there.
    mutating func cover(_ added: Range<Int>) {
        let first = firstRange(reaching: added.lowerBound)
        var end = first
        var merged = added
        while end < ranges.count, ranges[end].lowerBound <= added.upperBound {
            merged = min(merged.lowerBound, ranges[end].lowerBound)..<max(merged.upperBound, ranges[end].upperBound)
            end += 1
        }
        ranges.replaceSubrange(first..<end, with: CollectionOfOne(merged))
    }
}
