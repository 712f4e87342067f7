import TestSupport
import Testing

@testable import AuthScanWire

/// What both ends say in one connection, requests and responses in turn.
private func script(_ generator: inout SeededGenerator) -> [(fromClient: Bool, bytes: [UInt8])] {
    (0..<Int.random(in: 1...5, using: &generator)).flatMap { index -> [(fromClient: Bool, bytes: [UInt8])] in
        let body = String(repeating: "b", count: Int.random(in: 0...40, using: &generator))
        let length = "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
        let chunked = "Transfer-Encoding: chunked\r\n\r\n3;x\r\nabc\r\n0\r\n\r\n"
        let request = "POST /\(index) HTTP/1.1\r\nHost: a\r\n" + length
        let response =
            "HTTP/1.1 20\(index) OK\r\nServer: made up\r\n" + (Bool.random(using: &generator) ? length : chunked)
        return [(true, Array(request.utf8)), (false, Array(response.utf8))]
    }
}

/// The script as segments, each message in one.
private func plain(_ script: [(fromClient: Bool, bytes: [UInt8])], clientPort: UInt16 = 40_000) -> [TestSegment] {
    var conversation = TestConversation(clientStart: .max - 60, serverStart: .max - 20, clientPort: clientPort)
    for (fromClient, bytes) in script {
        if fromClient { conversation.client(bytes: bytes) } else { conversation.server(bytes: bytes) }
    }
    return conversation.segments
}

/// Cuts a segment's payload at random, repeats and overlaps the parts, and puts them in any order.
private func scramble(_ segment: TestSegment, _ generator: inout SeededGenerator) -> [TestSegment] {
    let count = segment.payload.count
    guard count > 0 else { return [segment] }
    var cuts = (0..<Int.random(in: 0...6, using: &generator)).map { _ in Int.random(in: 0...count, using: &generator) }
    cuts = ([0, count] + cuts).sorted()
    var ranges = zip(cuts, cuts.dropFirst()).map { $0..<$1 }
    for _ in 0..<Int.random(in: 0...3, using: &generator) {
        let start = Int.random(in: 0..<count, using: &generator)
        ranges.append(start..<Int.random(in: start...count, using: &generator))
    }
    return ranges.shuffled(using: &generator).filter { !$0.isEmpty }.map { range in
        var part = segment
        part.payload = Array(segment.payload[range])
        part.sequence = segment.sequence &+ UInt32(range.lowerBound)
        return part
    }
}

private struct Result: Equatable {
    var transactions: [String]
    var fields: [[String]]
    var bodies: [Int?]
    var isWhole: [Bool]
    var gaps: Int

    /// Of the whole capture, or of one of its connections alone.
    init(_ capture: WireCapture, of number: Int? = nil) {
        let own = capture.transactions.filter { number == nil || $0.connection == number }
        transactions = own.map(\.summary)
        fields = own.map { transaction in
            [transaction.request?.fields, transaction.response?.fields].flatMap { fields in
                fields?.all.map { "\($0.name): " + FieldLines.text($0.value) } ?? []
            }
        }
        bodies = own.flatMap { [$0.request?.bodyBytes, $0.response?.bodyBytes] }
        isWhole = own.flatMap {
            [$0.request?.isBodyComplete == true, $0.response?.isBodyComplete == true]
        }
        gaps = capture.connections.filter { number == nil || $0.number == number }.reduce(0) { $0 + $1.gaps.count }
    }
}

@Suite struct ReassemblyPropertyTests {
    @Test(arguments: 0..<UInt64(300))
    func anySegmentationOrderDuplicationAndOverlapGivesTheSame(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = plain(script(&generator))
        var scrambled = segments.flatMap { scramble($0, &generator) }
        for _ in 0..<3 {
            let copy = scrambled[Int.random(in: 0..<scrambled.count, using: &generator)]
            scrambled.append(copy)
        }
        let expected = Result(try analyze(segments))
        #expect(expected.gaps == 0 && expected.isWhole.allSatisfy { $0 })
        let found = Result(try analyze(scrambled))
        #expect(found == expected)
    }

    @Test(arguments: 0..<UInt64(20)) func byteByByteIsTheSameAsWhole(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = plain(script(&generator))
        let bytes = segments.flatMap { segment in
            segment.payload.isEmpty
                ? [segment]
                : segment.payload.indices.map { index in
                    var part = segment
                    part.payload = [segment.payload[index]]
                    part.sequence = segment.sequence &+ UInt32(index)
                    return part
                }
        }
        let inBytes = Result(try analyze(bytes))
        let whole = Result(try analyze(segments))
        #expect(inBytes == whole)
    }

    @Test(arguments: 0..<UInt64(50)) func interleavedConnectionsAreEachAsAlone(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let first = plain(script(&generator))
        let second = plain(script(&generator), clientPort: 40_001)
        var mixed: [TestSegment] = []
        var queues = [first[...], second[...]]
        while let queue = queues.indices.filter({ !queues[$0].isEmpty }).randomElement(using: &generator) {
            mixed.append(queues[queue].removeFirst())
        }
        let capture = try analyze(mixed)
        for (segments, port) in [(first, 40_000), (second, 40_001)] {
            let number = capture.connections.first { $0.client.port == port }?.number
            #expect(Result(capture, of: number) == Result(try analyze(segments)))
        }
    }

    @Test(arguments: 0..<UInt64(100)) func lossIsNeverMistakenForAnotherMessage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let segments = plain(script(&generator))
        let lost = Int.random(in: 3..<segments.count, using: &generator)
        let all = Set(try analyze(segments).summaries)
        var rest = segments
        rest.remove(at: lost)
        let capture = try analyze(rest)
        for transaction in capture.transactions where transaction.request != nil && transaction.response != nil {
            #expect(all.contains(transaction.summary), "seed \(seed), without packet \(lost + 1)")
        }
    }

    @Test(arguments: 0..<UInt64(200)) func damagedFilesAreNoCrash(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var file = pcap(plain(script(&generator)).map(\.ethernet))
        for _ in 0..<Int.random(in: 1...30, using: &generator) {
            file[Int.random(in: 24..<file.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
        }
        _ = try analyze([file], blockSize: Int.random(in: 1...2000, using: &generator))
    }
}
