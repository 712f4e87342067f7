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
