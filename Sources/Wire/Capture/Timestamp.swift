/// A moment as a capture states it, to the nanosecond.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
    public let nanoseconds: Int64

    /// Creates a moment from its count of nanoseconds.
    public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    /// Orders moments by time.
    public static func < (earlier: Timestamp, later: Timestamp) -> Bool {
        earlier.nanoseconds < later.nanoseconds
    }

    /// How long after `other` this is, in seconds; negative when it is before.
    public func seconds(since other: Timestamp) -> Double {
        // The difference of two moments is exact as an integer; as floating point numbers they are too large for that.
        let (difference, isTooLarge) = nanoseconds.subtractingReportingOverflow(other.nanoseconds)
        return isTooLarge ? Double(nanoseconds) / 1e9 - Double(other.nanoseconds) / 1e9 : Double(difference) / 1e9
    }

    /// A moment later by so many nanoseconds; the nearest that can be stated where that is too far.
    func advanced(by nanoseconds: Int64) -> Timestamp {
        let (sum, isTooFar) = self.nanoseconds.addingReportingOverflow(nanoseconds)
        return Timestamp(nanoseconds: isTooFar ? (nanoseconds < 0 ? .min : .max) : sum)
    }
}
