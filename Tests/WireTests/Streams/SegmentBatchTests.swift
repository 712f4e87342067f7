import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct SegmentBatchTests {
    /// Conversations in turn, so that every batch holds segments of several connections, some of which begin in it, end in it,
    /// or use the ends of another one again.
    private func interleaved(_ generator: inout SeededGenerator) -> [TestSegment] {
        var queues = (0..<8).map { number in
            var segments: [TestSegment] = []
            for round in UInt32(0)..<4 {
                var conversation = TestConversation(
                    clientStart: 1000 + round * 1_000_000,
                    serverStart: 9000 + round * 1_000_000,
                    clientPort: 40_000 + UInt16(number)
                )
                for request in 0..<3 {
                    conversation.client("GET /\(number)/\(round)/\(request) HTTP/1.1\r\nHost: example\r\n\r\n")
                    conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
                }
                segments += conversation.segments
            }
            return segments[...]
        }
        var mixed: [TestSegment] = []
        while let queue = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(using: &generator) {
            mixed.append(queues[queue].removeFirst())
        }
        return mixed
    }

    @Test("segments that are taken together are taken as if one by one", arguments: 0..<UInt64(20))
    func isAsOneByOne(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let file = pcap(interleaved(&generator).map(\.ethernet))
        let together = try analyze([file])
        // Blocks that hold less than a frame: each segment is taken alone.
        let alone = try analyze([file], blockSize: 40)
        #expect(together.transactions.count == 96 && together.connections.count == 32)
        #expect(together.summaries == alone.summaries)
        #expect(together.transactions.map(\.request?.evidence) == alone.transactions.map(\.request?.evidence))
        #expect(together.connections.map(\.lastPacket) == alone.connections.map(\.lastPacket))
    }

    /// What a tracker makes of segments, one of which may come too early now and then, with or without the way for usual ones.
    private func track(_ segments: [TestSegment], usualApart: Bool) throws -> (chunks: [String], connections: [String])
    {
        var tracker = ConnectionTracker(limits: Limits())
        var decoder = PacketDecoder()
        var processes = ProcessTable(limits: Limits())
        var output = StreamOutput()
        for (index, test) in segments.enumerated() {
            let bytes = test.ethernet
            let frame = CapturedFrame(
                number: index + 1,
                time: Timestamp(nanoseconds: Int64(index) * 1_000_000),
                linkType: .ethernet,
                start: 0,
                count: bytes.count,
                originalLength: bytes.count
            )
            try withBytes(of: bytes) { bytes in
                var batch = SegmentBatch()
                let content = batch.fillNext { decoder.decode(bytes, of: frame, into: &$0, &processes) }
                try #require(content == .segment)
                batch.append(nextOf: frame, at: 0)
                tracker.lookUp(&batch)
                if usualApart, tracker.receiveUsual(batch, from: 0, into: &output) == 1 { return }
                let entry = batch.entries[0]
                tracker.receive(
                    entry.segment,
                    entry.hash,
                    frame: bytes,
                    packet: entry.packet,
                    time: entry.time,
                    into: &output
                )
            }
        }
        return ((0..<output.count).map { "\(output[$0])" }, tracker.connections.map { "\($0)" })
    }

    @Test("segments of the usual kind are taken as any others", arguments: 0..<UInt64(20))
    func takesUsualOnesAlike(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var segments = interleaved(&generator)
        for _ in 0..<20 {
            let place = Int.random(in: 1..<segments.count, using: &generator)
            segments.swapAt(place - 1, place)
        }
        let (apart, alike) = (try track(segments, usualApart: true), try track(segments, usualApart: false))
        #expect(apart.chunks == alike.chunks && apart.chunks.count > 100)
        #expect(apart.connections == alike.connections)
    }

    @Test("a batch is full with sixteen segments, and remembers where each comes from")
    func remembersPlaces() {
        var batch = SegmentBatch()
        var segment = TCPSegment()
        for number in 1...16 {
            #expect(!batch.isFull)
            segment.sequence = UInt32(number)
            let time = Timestamp(nanoseconds: Int64(number))
            let frame = CapturedFrame(
                number: number,
                time: time,
                linkType: .ethernet,
                start: number * 100,
                count: 60,
                originalLength: 60
            )
            batch.fillNext { $0 = segment }
            batch.append(nextOf: frame, at: 5000 + number * 100)
        }
        #expect(batch.isFull)
        #expect((batch.entries[9].packet, batch.entries[9].segment.sequence, batch.entries[9].start) == (10, 10, 6000))
        #expect(batch.entries[9].frame == 1000..<1060 && batch.entries[9].time == Timestamp(nanoseconds: 10))
        batch.removeAll()
        #expect(batch.count == 0 && !batch.isFull)
    }
}
