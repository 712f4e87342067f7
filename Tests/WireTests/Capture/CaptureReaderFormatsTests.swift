import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

/// What every format but pcap and pcapng has to keep to.
@Suite struct CaptureReaderFormatsTests {
    private static let frames: [[UInt8]] = {
        var conversation = TestConversation()
        conversation.client("GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n")
        conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return conversation.segments.map(\.ethernet)
    }()

    private static let files: [(name: String, format: String, file: [UInt8])] = [
        ("snoop", "snoop", snoop(frames)), ("erf", "erf", erf(frames)),
        ("erf with extension headers", "erf", erf(frames, type: 20, extensions: 2)),
        ("netmon 1.1", "netmon", networkMonitor(frames, version: (1, 1))),
        ("netmon 2.0", "netmon", networkMonitor(frames, version: (2, 0))),
        ("netmon 2.1", "netmon", networkMonitor(frames, version: (2, 1))),
        ("netmon 2.2", "netmon", networkMonitor(frames, version: (2, 2))),
        ("netmon 2.3", "netmon", networkMonitor(frames, version: (2, 3))),
    ]

    @Test("the frames, their numbers and times are those of a pcap file with the same", arguments: files.indices)
    func readsWhatPcapHas(index: Int) throws {
        let (_, format, file) = Self.files[index]
        let (ours, pcap) = (try analyze([file]), try analyze([pcap(Self.frames)]))
        #expect(ours.files.map(\.format) == [format])
        #expect(ours.summaries == ["GET /a → 200"] && ours.packets == pcap.packets)
        #expect(ours.problems.isEmpty && ours.truncatedPackets == 0)
        #expect(ours.firstTime == pcap.firstTime && ours.lastTime == pcap.lastTime)
        let packets = [ours, pcap].map { $0.transactions.map(\.request?.evidence.headPacket) }
        #expect(packets[0] == packets[1])
    }

    @Test("how a file is cut into reads changes nothing", arguments: files.indices, [1, 7, 100])
    func readsPieces(index: Int, size: Int) throws {
        let file = Self.files[index].file
        let (whole, pieces) = (try analyze([file]), try analyze([file], blockSize: size))
        #expect(whole.packets == pieces.packets && whole.problems == pieces.problems)
        #expect(whole.summaries == pieces.summaries)
    }

    @Test("of a cut file what is whole is read, and the cut is named", arguments: files.indices)
    func readsPrefixes(index: Int) throws {
        let (_, format, file) = Self.files[index]
        let all = Self.frames.count
        var counts: [Int] = []
        for length in 0..<file.count {
            guard let capture = try? analyze([Array(file.prefix(length))]) else {
                #expect(length < 128)
                continue
            }
            counts.append(capture.packets)
            let isTable = format == "netmon" && length >= file.count - 4 * all
            #expect(capture.packets < all || isTable || capture.problems.isEmpty)
            #expect(capture.problems.allSatisfy { $0.kind == .truncatedRecord }, "\(length): \(capture.problems)")
        }
        #expect(counts == counts.sorted() && counts.last.map { $0 >= all - 1 } == true)
    }

    @Test("damaged files do no harm", arguments: 0..<40 as Range<UInt64>)
    func survivesDamage(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for (_, _, whole) in Self.files {
            var file = whole
            for _ in 0..<6 { file[.random(in: 0..<file.count, using: &random)] = .random(in: 0...255, using: &random) }
            let (first, second) = (try? analyze([file]), try? analyze([file], blockSize: 13))
            #expect(first?.packets == second?.packets && first?.problems == second?.problems)
        }
    }

    @Test("they are merged with others, and found in a directory", arguments: files.indices)
    func isMerged(index: Int) throws {
        let file = Self.files[index].file
        #expect(isCapture(startingWith: file))
        let (capture, failures, _) = mergeCaptures([Array(file), pcap([Self.frames[0]])], blockSize: 50)
        #expect(failures.isEmpty && capture.packets == Self.frames.count + 1)
        #expect(capture.summaries == ["GET /a → 200"])
    }
}
