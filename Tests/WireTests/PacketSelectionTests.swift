import Testing

@testable import AuthScanWire

/// Lets frames of a length pass, and remembers the link types that it was asked about.
private final class LengthFilter: FrameFilter {
    let expression = "len > 60"
    var linkTypes: Set<UInt16> = []

    func verdict(on bytes: RawSpan, linkType: UInt16, originalLength: Int) -> FrameVerdict {
        linkTypes.insert(linkType)
        if linkType == 147 { return .inapplicable("no filter for it") }
        return originalLength > 60 ? .pass : .drop
    }
}

@Suite struct PacketSelectionTests {
    private func analyze(_ file: [UInt8], _ selection: PacketSelection) throws -> WireCapture {
        var analysis = CaptureAnalysis()
        analysis.use(selection)
        analysis.beginFile(path: "a.pcap", compression: nil)
        try analysis.receive(file)
        try analysis.endFile()
        return analysis.finish()
    }

    private let conversation: [[UInt8]] = {
        var conversation = TestConversation()
        conversation.client("GET /a HTTP/1.1\r\nHost: a.example\r\n\r\n")
        conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        return conversation.segments.map(\.ethernet)
    }()

    @Test("packets outside of the range are counted and keep their numbers")
    func limitsToATime() throws {
        let whole = try analyze(pcap(conversation), PacketSelection())
        let count = conversation.count
        let packet = try #require(whole.transactions.first?.request?.evidence.headPacket)
        let late = try analyze(
            pcap(conversation),
            PacketSelection(times: TimeRange(parsing: "+0.00\(packet - 1)..+10"))
        )
        #expect(late.packets == count)
        #expect(
            late.selection == SelectionSummary(filter: nil, time: late.selection?.time, packets: count - packet + 1)
        )
        #expect(late.transactions.first?.request?.evidence.headPacket == packet)
        #expect(late.connections.first?.startSeen == false)
        #expect(late.firstTime?.nanoseconds == 1_700_000_000_000_000_000 + Int64(packet - 1) * 1_000_000)
    }

    @Test("what the filter drops is as if it had not been captured, but the capture's end stays")
    func filters() throws {
        let filter = LengthFilter()
        let filtered = try analyze(pcap(conversation), PacketSelection(filter: filter))
        #expect(filtered.summaries == ["GET /a → 200"])
        #expect(filtered.selection == SelectionSummary(filter: "len > 60", time: nil, packets: 2))
        let last = Int64(conversation.count - 1) * 1_000_000
        #expect(filtered.lastTime?.nanoseconds == 1_700_000_000_000_000_000 + last)
        #expect(filter.linkTypes == [1])
    }

    @Test("a link type that the filter says nothing about is a problem, said once")
    func saysWhatItCannotFilter() throws {
        let capture = try analyze(pcap(conversation, linkType: 147), PacketSelection(filter: LengthFilter()))
        #expect(capture.problems.map(\.kind) == [.inapplicableFilter, .nothingSelected])
        #expect(capture.problems.first?.message.contains("private use 0") == true)
    }

    @Test("a selection without packets is a problem that says which of the two left them out")
    func saysThatNothingIsLeft() throws {
        let early = try analyze(pcap(conversation), PacketSelection(times: TimeRange(parsing: "+100..")))
        #expect(
            early.problems.map(\.message) == ["none of the \(conversation.count) packets lies in the range of time"]
        )
        #expect(early.firstTime == nil && early.lastTime == nil)
        let small = try analyze(pcap([[1, 2, 3]]), PacketSelection(filter: LengthFilter()))
        #expect(small.problems.map(\.message) == ["the filter lets none of the packet pass"])
        #expect(try analyze(pcap([]), PacketSelection(filter: LengthFilter())).problems.isEmpty)
    }

    @Test("a filter sees the frame behind the header of a packet tap")
    func looksBehindPacketTaps() throws {
        let filter = LengthFilter()
        _ = try analyze(pcap([packetTap(conversation[0])], linkType: 258), PacketSelection(filter: filter))
        #expect(filter.linkTypes == [1])
    }
}
