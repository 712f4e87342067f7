/// How far one direction of a connection has come.
struct StreamState {
    /// The next sequence number that has not been handed on; valid with `.isKnown`.
    var next = SequenceNumber()

    /// The furthest acknowledgement by the other side; valid with `.isAcknowledged`.
    var acknowledged = SequenceNumber()

    /// The initial sequence number; valid with `.hasInitial`.
    var initial = SequenceNumber()

    /// The sequence number of the FIN; valid with `.hasFIN`.
    var fin = SequenceNumber()

    /// The queue of segments that wait; −1 where none do.
    var pending: Int32 = -1

    var flags: Flags = []

    /// How many packets the connection saw since a hole was acknowledged.
    var patience: UInt8 = 0

    struct Flags: OptionSet {
        let rawValue: UInt8
        static let isKnown = Flags(rawValue: 1)
        static let isAcknowledged = Flags(rawValue: 2)
        static let hasInitial = Flags(rawValue: 4)
        static let hasFIN = Flags(rawValue: 8)
        static let isFinished = Flags(rawValue: 16)
        static let hasDelivered = Flags(rawValue: 32)
    }
}

extension StreamState {
    /// Notes how much the other side has received.
    @inline(__always)
    mutating func acknowledge(_ number: SequenceNumber) {
        guard !flags.contains(.isAcknowledged) || number.distance(from: acknowledged) > 0 else { return }
        acknowledged = number
        flags.insert(.isAcknowledged)
    }

    /// Whether nothing waits, for a hole to be filled or for its end.
    @inline(__always)
    var isFreeOfHoles: Bool { pending < 0 && !flags.contains(.hasFIN) }

    /// Whether a segment is just the next one, or has no payload, and nothing waits.
    @inline(__always)
    func isContinued(by segment: TCPSegment) -> Bool {
        guard isFreeOfHoles, flags.contains(.isKnown) else { return false }
        return segment.payloadCount == 0 || SequenceNumber(segment.sequence) == next
    }

    /// Moves on behind bytes that are handed on.
    @inline(__always)
    mutating func advance(by count: Int) {
        next = next.advanced(by: count)
        flags.insert(.hasDelivered)
    }

    /// Whether a SYN with an initial sequence number may begin another connection: this one began with another number.
    func mayRestart(at other: SequenceNumber) -> Bool {
        if flags.contains(.hasInitial) { return initial != other }
        // Else the SYN itself may have been captured late.
        return !(1...(1 << 20)).contains(next.distance(from: other))
    }
}
