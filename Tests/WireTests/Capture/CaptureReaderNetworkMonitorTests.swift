import Testing

@testable import AuthScanWire

@Suite struct CaptureReaderNetworkMonitorTests {
    private static let frame = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8)).ethernet

    @Test("what the program keeps among the frames has no number")
    func passesOverOwnRecords() throws {
        let own = networkMonitor([[1, 2, 3]], version: (2, 1), network: 0xFFFB)
        #expect(try analyze([own]).packets == 0)
        let event = networkMonitor([[1, 2, 3]], version: (2, 1), network: 0xFFE0)
        #expect(try analyze([event]).problems.map(\.kind) == [.unsupportedLinkType])
    }

    @Test("a link type of libpcap's own is read as such")
    func readsRegisteredLinkTypes() throws {
        let packet = Array(Self.frame.dropFirst(14))
        #expect(try analyze([networkMonitor([packet], version: (2, 1), network: 0xE065)]).summaries == ["GET / → –"])
        #expect(try analyze([networkMonitor([packet], version: (2, 0), network: 7)]).summaries == ["GET / → –"])
    }

    @Test("Wi-Fi frames lie behind what the radio measured")
    func passesRadioHeaders() throws {
        let data: [UInt8] = [0x08, 0x01] + [UInt8](repeating: 0, count: 22) + [0xAA, 0xAA, 3, 0, 0, 0]
        let radio: [UInt8] = [2, 32, 0] + [UInt8](repeating: 0, count: 29)
        let frame = radio + data + Self.frame.dropFirst(12)
        #expect(try analyze([networkMonitor([frame], version: (2, 3), network: 6)]).summaries == ["GET / → –"])
        #expect(try analyze([networkMonitor([[2, 0xFF, 0xFF, 0]], version: (2, 3), network: 6)]).packets == 1)
    }

    @Test("a frame table with other records than there are is named")
    func comparesTheFrameTable() throws {
        let capture = try analyze([networkMonitor([Self.frame], version: (2, 3), listed: 2)])
        #expect(capture.packets == 1 && capture.problems.map(\.kind) == [.malformedBlock])
        #expect(capture.problems.first?.message.hasPrefix("the frame table lists 2 records, and 1 lie") == true)
    }

    @Test("a start that is no date is the start of time, and negative times are before it")
    func survivesNonsensicalTimes() throws {
        var file = networkMonitor([Self.frame], version: (2, 0))
        for index in 8..<24 { file[index] = 0xFF }
        #expect(try analyze([file]).firstTime == Timestamp(nanoseconds: 0))
        // (2^64 − 10) / 10 microseconds, rounded: one of them before the start.
        let before = UInt64(1_844_674_407_370_955_161) &* 10
        #expect(Int64(bitPattern: before) == -6)
        for (index, byte) in littleEndian(UInt64(1_844_674_407_370_955_161)).enumerated() { file[128 + index] = byte }
        #expect(try analyze([file]).firstTime == Timestamp(nanoseconds: -600))
    }
}
