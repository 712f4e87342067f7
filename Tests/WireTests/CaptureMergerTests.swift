import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

/// A frame, and the millisecond in which it was captured.
private typealias Timed = (time: Int, frame: [UInt8])

/// A classic file of frames with times.
private func file(_ frames: [Timed], linkType: UInt32 = 1) -> [UInt8] {
    frames.reduce(into: pcap([], linkType: linkType)) { file, item in
        let seconds = UInt32(1_700_000_000 + item.time / 1000)
        let length = littleEndian(UInt32(item.frame.count))
        file += join(littleEndian(seconds), littleEndian(UInt32(item.time % 1000 * 1000)), length, length, item.frame)
    }
}

/// Merges files that lie in memory; `nil` for a first time that is not known.
func mergeCaptures(
    _ files: [[UInt8]],
    firstTimes: [Int?]? = nil,
    blockSize: Int = .max,
    limits: Limits = Limits()
) -> (capture: WireCapture, failures: [CaptureError], largestOpen: Int) {
    var analysis = CaptureAnalysis(limits: limits)
    var merger = CaptureMerger(limits: limits)
    for index in files.indices {
        let known = firstTimes.map { $0[index] } ?? nil
        _ = merger.addFile(firstTime: known.map { Timestamp(nanoseconds: Int64($0 + 1_700_000_000_000) * 1_000_000) })
    }
    var positions: [Int: Int] = [:]
    var failures: [CaptureError] = []
    var largestOpen = 0
    while let index = merger.advance(into: &analysis) {
        do throws(CaptureError) {
            if positions[index] == nil { merger.begin(index, path: "file\(index).pcap", compression: nil) }
            let start = positions[index] ?? 0
            let end = start + min(blockSize, files[index].count - start)
            positions[index] = end
            largestOpen = max(largestOpen, positions.count)
            if start == end {
                positions[index] = nil
                try merger.end(index, damage: nil, into: &analysis)
            } else {
                try merger.receive(Array(files[index][start..<end]), of: index)
            }
        } catch {
            failures.append(error)
            positions[index] = nil
        }
    }
    merger.finish(into: &analysis)
    return (analysis.finish(), failures, largestOpen)
}

/// A conversation of several requests, a frame a millisecond.
private func conversation(_ requests: Int, clientPort: UInt16 = 40_000, start: Int = 0) -> [Timed] {
    var conversation = TestConversation(clientPort: clientPort)
    for number in 0..<requests {
        conversation.client("GET /\(number) HTTP/1.1\r\n\r\n")
        conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    }
    conversation.close()
    return conversation.segments.enumerated().map { (start + $0.offset, $0.element.ethernet) }
}

@Suite struct CaptureMergerTests {
    @Test(arguments: [1, 7, 100, .max]) func bothDirectionsFromTwoFilesAreOneConversation(blockSize: Int) throws {
        let frames = conversation(5)
        let fromClient = frames.filter { $0.frame[29] == 1 }
        let fromServer = frames.filter { $0.frame[29] == 80 }
        let result = mergeCaptures([file(fromServer), file(fromClient)], firstTimes: [1, 0], blockSize: blockSize)
        let single = try analyze([file(frames)])
        #expect(result.capture.summaries == single.summaries && result.failures.isEmpty)
        #expect(result.capture.transactions.map(\.response?.evidence) == single.transactions.map(\.response?.evidence))
        #expect(result.capture.files.map(\.packets) == [fromClient.count, fromServer.count])
        #expect(result.capture.files.map(\.path) == ["file1.pcap", "file0.pcap"])
        #expect(result.capture.connections.first?.gaps.isEmpty == true && result.capture.problems.isEmpty)
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func howPacketsAreSpreadChangesNothing(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let frames =
            conversation(4) + conversation(3, clientPort: 40_001, start: 9)
            + conversation(2, clientPort: 40_002, start: 60)
        let ordered = frames.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(
            \.element
        )
        var parts = [[Timed]](repeating: [], count: Int.random(in: 2...6, using: &random))
        // Packets of one moment stay in one file: nothing says which of them came first.
        for group in Dictionary(grouping: ordered, by: \.time).sorted(by: { $0.key < $1.key }).map(\.value) {
            parts[.random(in: parts.indices, using: &random)] += group
        }
        let known = Bool.random(using: &random)
        let times = parts.map { known ? $0.first?.time : nil }
        let result = mergeCaptures(
            parts.map { file($0) },
            firstTimes: times,
            blockSize: .random(in: 1...400, using: &random)
        )
        let single = try analyze([file(ordered)])
        #expect(result.capture.summaries == single.summaries && result.capture.packets == single.packets)
        #expect(result.capture.connections.map(\.firstPacket) == single.connections.map(\.firstPacket))
        #expect(result.capture.lastTime == single.lastTime)
    }

    @Test func partsOfARingBufferAreReadOneAfterTheOther() throws {
        let frames = conversation(20)
        let parts = stride(from: 0, to: frames.count, by: 10).map { Array(frames[$0..<min($0 + 10, frames.count)]) }
        let shuffled = [2, 0, 4, 1, 3].map { parts[$0] }
        let result = mergeCaptures(shuffled.map { file($0) }, firstTimes: shuffled.map { $0.first?.time })
        #expect(result.capture.transactions.count == 20 && result.capture.connections.count == 1)
        #expect(result.capture.connections.first?.isComplete == true)
        #expect(result.capture.files.map(\.path) == [1, 3, 0, 4, 2].map { "file\($0).pcap" })
        // The last one ends when the next has begun.
        #expect(result.largestOpen <= 2)
    }

    @Test func filesBeyondTheLimitWait() {
        var limits = Limits()
        limits.openFiles = 2
        let files = (0..<5).map { file(conversation(2, clientPort: UInt16(40_000 + $0))) }
        let result = mergeCaptures(files, firstTimes: [0, 0, 0, 0, 0], limits: limits)
        #expect(result.largestOpen == 2)
        #expect(result.capture.transactions.count == 10 && result.capture.files.count == 5)
        #expect(result.capture.problems.map(\.kind) == [.limitReached])
        #expect(result.capture.problems.first?.message.contains("3 of them") == true)
    }

    @Test(arguments: [3, .max]) func damageOfOneFileLeavesTheOthers(blockSize: Int) {
        let frames = conversation(3)
        let cut = Array(file(frames).dropLast(5))
        let foreign = Array("this is a text and no capture at all".utf8)
        let result = mergeCaptures([foreign, cut, [], file(conversation(1, clientPort: 41_000))], blockSize: blockSize)
        #expect(result.failures.map(\.reason) == [.notACapture(looksLike: "text"), .empty])
        #expect(result.capture.files.map(\.path) == ["file1.pcap", "file3.pcap"])
        #expect(result.capture.problems.map(\.kind) == [.truncatedRecord])
        #expect(result.capture.problems.first?.offset == cut.count + 5 - frames[frames.count - 1].frame.count - 16)
        #expect(result.capture.problems.first?.packet == result.capture.packets + 1)
    }

    @Test func whatIsNotReadIsNamedByFile() {
        let usb = file([(0, [1, 2, 3]), (2, [1, 2, 3])], linkType: 189)
        let can = file([(1, [1, 2, 3])], linkType: 227)
        let problems = mergeCaptures([usb, can], blockSize: 50).capture.problems
        #expect(problems.map(\.file) == ["file1.pcap", "file0.pcap"])
        #expect(problems.map(\.message.first) == ["1", "2"] && problems.map(\.packet) == [2, 1])
    }

    @Test func processesOfAllFilesAreOneList() throws {
        let request = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8))
        let first = file([(0, packetTap(request.ethernet, process: ("a", 1)))], linkType: 258)
        let other = TestSegment(payload: request.payload, clientPort: 40_009)
        let second = file(
            [(1, packetTap(other.ethernet, process: ("b", 2))), (2, packetTap(other.ethernet, process: ("a", 1)))],
            linkType: 258
        )
        let capture = mergeCaptures([first, second]).capture
        #expect(capture.connections.map { capture.process(of: $0)?.process.name } == ["a", "b"])
        #expect(capture.processes.count == 2)
    }
}
