import TestSupport
import Testing

struct CaptureBuilderTests {
    private let frame: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF, 0x01]
    private let time: Int64 = 1_767_603_600_012_345_678

    @Test("a classic file has the header of draft-ietf-opsawg-pcap §4 and a record for each frame")
    func classicFile() {
        var builder = CaptureBuilder(snapshotLength: 4)
        builder.add(frame, at: time)
        let expected: [UInt8] = [
            0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0,
            0x90, 0x7D, 0x5B, 0x69, 0x39, 0x30, 0, 0, 4, 0, 0, 0, 5, 0, 0, 0, 0xDE, 0xAD, 0xBE, 0xEF,
        ]
        #expect(builder.bytes == expected)
        #expect(builder.packetCount == 1)
    }

    @Test("big-endian nanoseconds have their own magic number")
    func bigEndianNanoseconds() {
        var builder = CaptureBuilder(CaptureFormat(byteOrder: .big, resolution: .nanoseconds))
        builder.add(frame, at: time)
        #expect(builder.bytes.prefix(8) == [0xA1, 0xB2, 0x3C, 0x4D, 0, 2, 0, 4])
        #expect(builder.bytes[24..<32] == [0x69, 0x5B, 0x7D, 0x90, 0x00, 0xBC, 0x61, 0x4E])
    }

    @Test("all layouts give the frame, its time and its length back")
    func allLayouts() {
        for container in [CaptureFormat.Container.pcap, .pcapng] {
            for order in [CaptureFormat.ByteOrder.little, .big] {
                for resolution in [CaptureFormat.Resolution.microseconds, .nanoseconds] {
                    var builder = CaptureBuilder(
                        CaptureFormat(container, byteOrder: order, resolution: resolution),
                        snapshotLength: 3
                    )
                    builder.add(frame, at: time)
                    builder.add([7], at: time + 1_000_000)
                    let packets = readPackets(builder.bytes)
                    #expect(packets.map(\.frame) == [[0xDE, 0xAD, 0xBE], [7]])
                    #expect(packets.map(\.originalLength) == [5, 1])
                    let first = resolution == .nanoseconds ? time : time / 1000 * 1000
                    #expect(packets.map(\.nanoseconds) == [first, first + 1_000_000])
                }
            }
        }
    }
}
