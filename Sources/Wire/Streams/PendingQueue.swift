/// The segments of one direction that wait for a missing one: sorted, without overlaps, the first copy of a byte kept.
struct PendingQueue {
    /// A run of bytes, or of bytes that the snapshot length cut off (`bytes` is empty then).
    struct Piece {
        var sequence: SequenceNumber
        var bytes: [UInt8]
        var cut: Int
        var packet: Int
        var time: Timestamp
        var acknowledgement: SequenceNumber

        var length: Int { bytes.count + cut }
        var end: SequenceNumber { sequence.advanced(by: length) }
    }

    private(set) var pieces: [Piece] = []

    /// How many bytes wait, captured ones alone.
    private(set) var byteCount = 0

    /// The first sequence number that waits.
    var start: SequenceNumber? { pieces.first?.sequence }

    /// Adds what no earlier piece holds of a new one; returns by how many bytes the queue grew.
    mutating func insert(_ piece: Piece, from payload: RawSpan) -> Int {
        let before = byteCount
        var index = firstIndex(endingAfter: piece.sequence)
        var position = 0
        while position < piece.length {
            let sequence = piece.sequence.advanced(by: position)
            let next = index < pieces.count ? pieces[index].sequence.distance(from: sequence) : Int.max
            let count = min(piece.length - position, next)
            if count > 0 {
                add(piece, range: position..<(position + count), from: payload, at: &index)
                position += count
            }
            guard index < pieces.count else { break }
            position = max(position, pieces[index].end.distance(from: piece.sequence))
            index += 1
        }
        return byteCount - before
    }

    /// Adds one stretch of a piece, as captured bytes and cut bytes apart.
    private mutating func add(_ piece: Piece, range: Range<Int>, from payload: RawSpan, at index: inout Int) {
        let captured = range.clamped(to: 0..<payload.byteCount)
        if !captured.isEmpty {
            var part = piece
            part.sequence = piece.sequence.advanced(by: captured.lowerBound)
            part.cut = 0
            part.bytes.append(payload.extracting(captured))
            byteCount += part.bytes.count
            pieces.insert(part, at: index)
            index += 1
        }
        let cut = range.clamped(to: payload.byteCount..<max(payload.byteCount, range.upperBound))
        if !cut.isEmpty {
            var part = piece
            part.sequence = piece.sequence.advanced(by: cut.lowerBound)
            part.cut = cut.count
            pieces.insert(part, at: index)
            index += 1
        }
    }

    /// The first piece that ends behind a sequence number, by bisection.
    private func firstIndex(endingAfter sequence: SequenceNumber) -> Int {
        var low = 0
        var high = pieces.count
        while low < high {
            let middle = (low + high) / 2
            if pieces[middle].end.distance(from: sequence) > 0 { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Takes the pieces that a stream can go on with once it has come to `next`: those that start at or before it, up to the first hole.
    mutating func takeContiguous(from next: SequenceNumber) -> [Piece] {
        var reached = next
        var count = 0
        while count < pieces.count, pieces[count].sequence.distance(from: reached) <= 0 {
            if pieces[count].end.distance(from: reached) > 0 { reached = pieces[count].end }
            count += 1
        }
        let taken = Array(pieces[..<count])
        pieces.removeFirst(count)
        byteCount -= taken.reduce(0) { $0 + $1.bytes.count }
        return taken
    }
}
