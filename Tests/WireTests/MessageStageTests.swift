import AuthScanBytes
import Synchronization
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct MessageStageTests {
    /// Lets all work wait as long as possible.
    private static func lateCompanion() -> Companion {
        let waiting = Mutex<[Companion.Work]>([])
        return Companion(
            submit: { work in waiting.withLock { $0.append(work) } },
            join: {
                let all = waiting.withLock { waiting in
                    defer { waiting = [] }
                    return waiting
                }
                for work in all { work() }
            }
        )
    }

    private func analyze(_ file: [UInt8], blockSize: Int, _ companion: Companion) throws -> WireCapture {
        var analysis = CaptureAnalysis(companion: companion)
        analysis.beginFile(path: "file.pcap", compression: nil)
        var position = 0
        while position < file.count {
            let end = min(position + blockSize, file.count)
            try analysis.receive(Array(file[position..<end]))
            position = end
        }
        try analysis.endFile()
        return analysis.finish()
    }

    /// Connections whose start was not captured, with the lower port at the client: only the messages tell who that is.
    private var midstream: [UInt8] {
        var frames: [[UInt8]] = []
        for port in UInt16(1000)..<1020 {
            var conversation = TestConversation(clientPort: port, serverPort: 8080)
            for number in 0..<5 {
                conversation.client("GET /\(number) HTTP/1.1\r\nHost: example\r\n\r\n")
                conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
            }
            frames += conversation.segments.map(\.ethernet)
        }
        return pcap(frames)
    }

    @Test("messages that are read long after their packets are the same", arguments: [1, 100, 1500, .max])
    func readsLate(blockSize: Int) throws {
        let file = midstream
        let block = min(blockSize, file.count)
        let (plain, late) = (
            try analyze(file, blockSize: file.count, .none), try analyze(file, blockSize: block, Self.lateCompanion())
        )
        #expect(plain.transactions.count == 100)
        #expect(late.transactions.map(\.summary) == plain.transactions.map(\.summary))
        #expect(late.transactions.map(\.connection) == plain.transactions.map(\.connection))
        #expect(late.connections.map(\.client) == plain.connections.map(\.client))
        #expect(late.connections.allSatisfy { $0.server.port == 8080 && $0.applicationProtocol == .http11 })
    }

    @Test("a block that brought nothing comes back at once, and those that did once they were read")
    func givesBlocksBack() throws {
        let file = midstream
        var analysis = CaptureAnalysis()
        analysis.beginFile(path: "file.pcap", compression: nil)
        #expect(try analysis.receive(Array(file[..<24])) == Array(file[..<24]))
        var (given, returned): ([[UInt8]], [[UInt8]]) = ([], [])
        for start in stride(from: 24, to: file.count, by: 1000) {
            given.append(Array(file[start..<min(start + 1000, file.count)]))
            returned.append(try analysis.receive(given[given.count - 1]))
        }
        #expect(returned.first == [] && returned.suffix(20).allSatisfy(given.contains))
        #expect(analysis.finish().transactions.count == 100)
    }
}
