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

    private var entries = [Entry](repeating: Entry(), count: SegmentBatch.size)

    /// How many segments wait.
    private(set) var count = 0

    var isFull: Bool { count == SegmentBatch.size }

    subscript(index: Int) -> Entry {
        @inline(__always) _read { yield entries[index] }
        @inline(__always) _modify { yield &entries[index] }
    }

    /// Adds the segment of a frame, which starts at `start` in the block that chunks point to.
    @inline(__always)
    mutating func append(_ segment: TCPSegment, of frame: CapturedFrame, at start: Int) {
        entries[count].segment = segment
        entries[count].frame = frame.start..<(frame.start &+ frame.count)
        entries[count].start = start
        entries[count].packet = frame.number
        entries[count].time = frame.time
        count &+= 1
    }

    mutating func removeAll() { count = 0 }
}
