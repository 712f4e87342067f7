/// The segments of a few frames in a row, which the tracker takes together.
///
/// What a segment needs of the tables lies anywhere in memory. One after the other each would wait for its own; of a batch all is
/// asked for at once.
struct SegmentBatch {
    /// A segment, and where it comes from.
    struct Entry {
        var segment = TCPSegment()
        /// Where its frame lies in the block being read.
        var frame = 0..<0
        /// Where the frame starts in the block that chunks point to.
        var start = 0
        var packet = 0
        var time = Timestamp(nanoseconds: 0)
        /// The hash of its ends, and the connection that the tracker found by it first; see `ConnectionTracker.lookUp`.
        var hash: UInt64 = 0
        var connection: Int32 = -1
    }

    /// How many segments are taken together: more than that memory is not asked for at once.
    private static let size = 16

    /// Those that wait, and behind `count` what is left of earlier ones.
    var entries = [Entry](repeating: Entry(), count: SegmentBatch.size)

    /// How often the table of connections had changed when they were looked up.
    var tableChanges = -1

    /// How many segments wait.
    private(set) var count = 0

    var isFull: Bool { count == SegmentBatch.size }

    /// Lets `body` fill in the segment that may be added next, where it lies.
    @inline(__always)
    mutating func fillNext<Result>(_ body: (inout TCPSegment) -> Result) -> Result {
        let place = count
        var entries = entries.mutableSpan
        return body(&entries[place].segment)
    }

    /// Adds the segment that was filled in, of a frame which starts at `start` in the block that chunks point to.
    @inline(__always)
    mutating func append(nextOf frame: CapturedFrame, at start: Int) {
        let place = count
        count &+= 1
        var entries = entries.mutableSpan
        entries[place].frame = frame.start..<(frame.start &+ frame.count)
        entries[place].start = start
        entries[place].packet = frame.number
        entries[place].time = frame.time
    }

    /// Lets `body` fill in entries behind those that wait, and count them.
    @inline(__always)
    mutating func fill(_ body: (inout MutableSpan<Entry>, inout Int) -> Void) {
        var count = count
        var entries = entries.mutableSpan
        body(&entries, &count)
        self.count = count
    }

    mutating func removeAll() { count = 0 }
}
