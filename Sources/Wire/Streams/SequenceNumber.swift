/// A TCP sequence number, compared modulo 2³².
///
/// - Source: RFC 9293 §3.4.
struct SequenceNumber: Hashable, Sendable {
    var rawValue: UInt32 = 0

    init(_ rawValue: UInt32 = 0) { self.rawValue = rawValue }

    /// How far `self` lies past `other`, in bytes; negative when it lies before.
    @inline(__always)
    func distance(from other: SequenceNumber) -> Int { Int(Int32(bitPattern: rawValue &- other.rawValue)) }

    /// The number that lies `count` bytes further on.
    @inline(__always)
    func advanced(by count: Int) -> SequenceNumber {
        SequenceNumber(rawValue &+ UInt32(truncatingIfNeeded: count))
    }
}
