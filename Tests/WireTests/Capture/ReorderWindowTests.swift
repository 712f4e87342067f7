import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

private func frame(_ number: Int, _ time: Int64, count: Int = 1) -> CapturedFrame {
    let time = Timestamp(nanoseconds: time)
    return CapturedFrame(number: number, time: time, linkType: .ethernet, start: 0, count: count, originalLength: count)
}

/// The numbers of the frames in the order in which they go on.
private func order(_ times: [Int64], limits: Limits) -> [Int] {
    var window = ReorderWindow(limits: limits)
    var numbers: [Int] = []
    for (index, time) in times.enumerated() {
        withBytes(of: [UInt8(truncatingIfNeeded: index)]) { window.hold(frame(index + 1, time), in: $0) }
        while let held = window.next(isEnd: false) {
            #expect(held.bytes == [UInt8(truncatingIfNeeded: held.frame.number - 1)])
            numbers.append(held.frame.number)
            window.recycle(held)
        }
    }
    while let held = window.next(isEnd: true) { numbers.append(held.frame.number) }
    return numbers
}

@Suite struct ReorderWindowTests {
    @Test func framesGoOnInTheOrderOfTheirTimes() {
        #expect(order([5, 3, 4, 1], limits: Limits()) == [4, 2, 3, 1])
        #expect(order([7, 7, 7], limits: Limits()) == [1, 2, 3])
        #expect(order([], limits: Limits()).isEmpty)
    }

    @Test func aFrameWaitsNoLongerThanTheWindow() {
        var limits = Limits()
        limits.reorderNanoseconds = 10
        #expect(order([0, 5, 10, 1, 30, 2], limits: limits) == [1, 4, 2, 3, 6, 5])
        #expect(order([.max, .min, 0], limits: limits) == [2, 3, 1])
    }

    @Test func whatWaitsIsBounded() {
        var limits = Limits()
        limits.reorderFrames = 2
        #expect(order([9, 8, 7, 6], limits: limits) == [3, 4, 2, 1])
        limits = Limits()
        limits.reorderBytes = 2
        #expect(order([9, 8, 7, 6], limits: limits) == [3, 4, 2, 1])
    }

    @Test(arguments: 0..<20 as Range<UInt64>) func anyOrderWithinTheWindowIsSorted(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let times = (0..<300).map { _ in Int64.random(in: 0..<1000, using: &random) }
        let expected = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { $0 + 1 }
        #expect(order(times, limits: Limits()) == expected)
    }

    /// The answers come from another interface than the questions, and were written first.
    @Test(arguments: [false, true]) func anAnswerBeforeItsQuestionIsPaired(isMerged: Bool) throws {
        var conversation = TestConversation()
        for number in 0..<8 {
            conversation.client("GET /\(number) HTTP/1.1\r\n\r\n")
            conversation.server("HTTP/1.1 20\(number) OK\r\nContent-Length: 2\r\n\r\nhi")
        }
        var file = CaptureBuilder(CaptureFormat(.pcapng))
        let other = file.addInterface(linkType: 1)
        let timed = conversation.segments.enumerated().map { (Int64($0.offset) * 1_000_000, $0.element) }
        for (time, segment) in timed.filter({ !$0.1.fromClient }) + timed.filter(\.1.fromClient) {
            file.add(segment.ethernet, at: time, interface: segment.fromClient ? 0 : other)
        }
        let capture =
            isMerged ? mergeCaptures([file.bytes, pcap([])]).capture : try analyze([file.bytes], blockSize: 100)
        #expect(capture.summaries == (0..<8).map { "GET /\($0) → 20\($0)" })
        #expect(capture.packets == timed.count && capture.connections.first?.startSeen == true)
    }
}
