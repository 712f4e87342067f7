/// The part of a capture between two moments, both of them included; either side may be open.
public struct TimeRange: Hashable, Sendable {
    /// A moment, by the calendar or by the capture's own start.
    public enum Moment: Hashable, Sendable {
        /// A moment that the capture has no part in.
        case absolute(Timestamp)
        /// So many nanoseconds after the midnight (UTC) of the day on which the capture begins.
        case timeOfDay(Int64)
        /// So many nanoseconds after the first packet.
        case sinceStart(Int64)
    }

    /// The first moment of the range; `nil` for the capture's start.
    public let start: Moment?

    /// The last moment of the range; `nil` for the capture's end.
    public let end: Moment?

    /// The range as the user wrote it.
    public let text: String

    /// States a range.
    public init(start: Moment?, end: Moment?, text: String) {
        self.start = start
        self.end = end
        self.text = text
    }

    /// The moments that the range has in a capture whose first packet is of a time.
    ///
    /// Of two times of the day of which the second is the smaller, that one is of the next day. `nil` for a range without
    /// moments.
    func moments(inCaptureFrom first: Timestamp) -> ClosedRange<Timestamp>? {
        let begin = start.map { TimeRange.moment($0, first) } ?? Timestamp(nanoseconds: .min)
        var finish = end.map { TimeRange.moment($0, first) } ?? Timestamp(nanoseconds: .max)
        if case .timeOfDay? = start, case .timeOfDay? = end, finish < begin {
            finish = finish.advanced(by: TimeRange.dayNanoseconds)
        }
        return begin <= finish ? begin...finish : nil
    }

    static let dayNanoseconds: Int64 = 86_400_000_000_000

    private static func moment(_ moment: Moment, _ first: Timestamp) -> Timestamp {
        switch moment {
        case .absolute(let time): return time
        case .sinceStart(let nanoseconds): return first.advanced(by: nanoseconds)
        case .timeOfDay(let nanoseconds):
            // Days before 1970 count backwards: what is left over of one is never negative.
            let rest = first.nanoseconds % dayNanoseconds
            return first.advanced(by: rest < 0 ? -(rest + dayNanoseconds) : -rest).advanced(by: nanoseconds)
        }
    }
}
