import Testing

@testable import AuthScanWire

/// Adds bytes that all have the value of their copy's number.
private func insert(_ copy: UInt8, _ range: Range<Int>, into queue: inout PendingQueue) -> Int {
    let piece = PendingQueue.Piece(
        sequence: SequenceNumber(UInt32(range.lowerBound)),
        bytes: [],
        cut: range.count,
        packet: Int(copy),
        time: Timestamp(nanoseconds: 0),
        acknowledgement: SequenceNumber()
    )
    return withBytes(of: [UInt8](repeating: copy, count: range.count)) { queue.insert(piece, from: $0) }
}

@Suite struct PendingQueueTests {
    @Test func theFirstCopyIsKept() {
        var queue = PendingQueue()
        #expect(insert(1, 10..<14, into: &queue) == 4)
        #expect(insert(2, 20..<24, into: &queue) == 4)
        #expect(insert(3, 8..<26, into: &queue) == 10)
        #expect(insert(4, 9..<25, into: &queue) == 0)
        let taken = queue.takeContiguous(from: SequenceNumber(8))
        #expect(taken.flatMap(\.bytes) == [3, 3, 1, 1, 1, 1, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2, 3, 3])
        #expect(queue.pieces.isEmpty && queue.byteCount == 0)
    }

    @Test func onlyWhatFollowsIsTaken() {
        var queue = PendingQueue()
        _ = insert(1, 10..<12, into: &queue)
        _ = insert(2, 14..<16, into: &queue)
        #expect(queue.takeContiguous(from: SequenceNumber(9)).isEmpty)
        #expect(queue.takeContiguous(from: SequenceNumber(11)).map(\.packet) == [1])
        #expect(queue.start == SequenceNumber(14))
    }
}
