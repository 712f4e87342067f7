/// A TCP segment of a conversation before it is put into a frame.
struct PlannedSegment: Hashable {
    /// When it is captured, in nanoseconds since 1970-01-01 00:00:00 UTC.
    var time: Int64

    /// The index of its connection.
    let connection: Int

    let side: Transcript.Side
    var sequence: UInt32
    let acknowledgment: UInt32
    let flags: TCPFlags
    var payload: [UInt8]

    /// Which message the payload belongs to; `nil` for segments without payload.
    let message: Int?

    /// How many bytes of the payload end the message's head; `nil` where it ends in another segment.
    var headLength: Int?

    /// Whether a finding lands on it.
    var isMarked: Bool

    /// Whether it may change places with its neighbours.
    var isMovable: Bool

    /// What it is instead, where it is no TCP segment.
    var datagram: TranscriptDatagram?

    /// The same bytes in several segments, 0.1 ms apart; the one that completes the head keeps the mark.
    func cut(at offsets: [Int]) -> [PlannedSegment] {
        let bounds = [0] + offsets.filter { $0 > 0 && $0 < payload.count } + [payload.count]
        return zip(bounds, bounds.dropFirst()).enumerated().map { index, range in
            var piece = self
            piece.time += Int64(index) * 100_000
            piece.sequence &+= UInt32(range.0)
            piece.payload = Array(payload[range.0..<range.1])
            piece.headLength = headLength.flatMap { $0 > range.0 && $0 <= range.1 ? $0 - range.0 : nil }
            piece.isMarked = isMarked && piece.headLength != nil
            return piece
        }
    }
}

extension [PlannedSegment] {
    /// Each message in three to eight segments, at least three of them for a head that is long enough.
    func resegmented(seed: UInt64) -> [PlannedSegment] {
        var generator = SeededGenerator(seed: seed)
        return flatMap { segment -> [PlannedSegment] in
            let count = segment.payload.count
            guard count > 1 else { return [segment] }
            var offsets: Set<Int> = []
            if let head = segment.headLength, head >= 3 {
                let first = Int.random(in: 1...(head - 2), using: &generator)
                offsets = [first, Int.random(in: (first + 1)...(head - 1), using: &generator)]
            }
            for _ in 0..<Int.random(in: 1...5, using: &generator) {
                offsets.insert(Int.random(in: 1..<count, using: &generator))
            }
            return segment.cut(at: offsets.sorted())
        }
    }

    /// Neighbours of one message swapped, the first possible ones always, others now and then.
    func reordered(seed: UInt64) -> [PlannedSegment] {
        var generator = SeededGenerator(seed: seed)
        var segments = self
        var swappedMessages: Set<Int> = []
        var index = 0
        while index + 1 < segments.count {
            let (first, second) = (segments[index], segments[index + 1])
            index += 1
            guard let message = first.message, second.message == message, first.isMovable, second.headLength == nil
            else { continue }
            guard swappedMessages.insert(message).inserted || Bool.random(using: &generator) else { continue }
            segments.swapAt(index - 1, index)
            segments[index - 1].time = first.time
            segments[index].time = second.time
            index += 1
        }
        return segments
    }

    /// Some segments once more, up to four packets of their connection later, but before its first FIN or RST.
    func retransmitted(seed: UInt64) -> [PlannedSegment] {
        var generator = SeededGenerator(seed: seed)
        var pending: [(delay: Int, segment: PlannedSegment)] = []
        var previous: [Int: PlannedSegment] = [:]
        var segments: [PlannedSegment] = []
        func take(_ isDue: ((delay: Int, segment: PlannedSegment)) -> Bool) {
            for item in pending where isDue(item) {
                var copy = item.segment
                copy.time = Swift.max(copy.time, segments.last?.time ?? 0) + 10_000
                segments.append(copy)
            }
            pending.removeAll(where: isDue)
        }
        for segment in self {
            if !segment.flags.isDisjoint(with: [.fin, .rst]) { take { $0.segment.connection == segment.connection } }
            segments.append(segment)
            for index in pending.indices where pending[index].segment.connection == segment.connection {
                pending[index].delay -= 1
            }
            take { $0.delay <= 0 && $0.segment.connection == segment.connection }
            guard let message = segment.message else { continue }
            let last = previous.updateValue(segment, forKey: message)
            guard last == nil || Int.random(in: 0..<5, using: &generator) < 2 else { continue }
            let copy = segment.copy(with: Bool.random(using: &generator) ? last : nil)
            pending.append((Int.random(in: 1...4, using: &generator), copy))
        }
        take { _ in true }
        return segments.inTimeOrder
    }

    /// The same order with no time before the one of the segment before it.
    private var inTimeOrder: [PlannedSegment] {
        var latest = Int64.min
        return map { segment in
            var segment = segment
            latest = Swift.max(latest, segment.time)
            segment.time = latest
            return segment
        }
    }
}

extension PlannedSegment {
    /// A retransmission, with the bytes of an adjacent predecessor in front of its own.
    fileprivate func copy(with predecessor: PlannedSegment?) -> PlannedSegment {
        var copy = self
        copy.isMarked = false
        copy.headLength = nil
        if let predecessor, predecessor.sequence &+ UInt32(predecessor.payload.count) == sequence {
            copy.sequence = predecessor.sequence
            copy.payload = predecessor.payload + payload
        }
        return copy
    }
}
