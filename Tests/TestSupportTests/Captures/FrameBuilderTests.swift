import Testing

@testable import TestSupport

struct FrameBuilderTests {
    private let client = HostEndpoint(HostAddress(192, 0, 2, 10), port: 50101)
    private let server = HostEndpoint(HostAddress(198, 51, 100, 20), port: 80)

    @Test("the words of RFC 1071 §3 sum up to ddf2")
    func checksumExample() {
        #expect(internetChecksum([0x00, 0x01, 0xF2, 0x03, 0xF4, 0xF5, 0xF6, 0xF7]) == ~0xDDF2)
        #expect(internetChecksum([0x00, 0x01, 0xF2]) == ~0xF201)
    }

    @Test("a SYN lies in the frame as RFC 9293 §3.1 and RFC 791 §3.1 draw it")
    func synFrame() {
        let frame = FrameBuilder().tcp(from: client, to: server, sequence: 0x0102_0304, flags: .syn, identification: 7)
        let expected: [UInt8] = [
            2, 0, 198, 51, 100, 20, 2, 0, 192, 0, 2, 10, 0x08, 0x00,
            0x45, 0, 0, 40, 0, 7, 0x40, 0, 64, 6, 0x4E, 0x77, 192, 0, 2, 10, 198, 51, 100, 20,
            0xC3, 0xB5, 0, 80, 1, 2, 3, 4, 0, 0, 0, 0, 0x50, 0x02, 0xFF, 0xFF, 0xFB, 0x84, 0, 0,
            0, 0, 0, 0, 0, 0,
        ]
        #expect(frame == expected)
    }

    @Test(
        "checksums hold over both versions of IP, for odd and even payloads",
        arguments: [false, true],
        [0, 1, 7, 200]
    )
    func checksumsHold(isIPv6: Bool, count: Int) {
        let (from, to) = isIPv6 ? (client.overIPv6, server.overIPv6) : (client, server)
        let payload = (0..<count).map { UInt8($0) }
        let tcp = FrameBuilder(vlan: 42).tcp(from: from, to: to, sequence: 9, flags: [.psh, .ack], payload: payload)
        let udp = FrameBuilder().udp(from: from, to: to, payload: payload)
        for (frame, number) in [(tcp, UInt8(6)), (udp, UInt8(17))] {
            let packet = CapturedPacket(nanoseconds: 0, frame: frame, originalLength: frame.count).packet
            let transport = Array(packet.dropFirst(isIPv6 ? 40 : 20))
            // A sum that includes its own checksum is zero (RFC 1071 §1).
            let pseudoHeader =
                from.address.bytes + to.address.bytes + [0, 0, 0, UInt8(transport.count), 0, 0, 0, number]
            #expect(internetChecksum(pseudoHeader + transport) == 0)
            if !isIPv6 { #expect(internetChecksum(Array(packet.prefix(20))) == 0) }
        }
    }

    @Test("a tag stands before the type")
    func vlanTag() {
        let frame = FrameBuilder(vlan: 42).udp(from: client, to: server, payload: [])
        #expect(frame[12..<18] == [0x81, 0x00, 0x00, 0x2A, 0x08, 0x00])
        #expect(frame.count == 60)
    }

    @Test("only four numbers up to 255 are an IPv4 address")
    func addresses() {
        #expect(HostAddress("192.0.2.10")?.bytes == [192, 0, 2, 10])
        for text in ["", "192.0.2", "192.0.2.256", "192.0.2.10.1", "a.b.c.d", "192..2.10"] {
            #expect(HostAddress(text) == nil, "\(text)")
        }
        #expect(HostAddress(127, 0, 0, 1).overIPv6.bytes == [UInt8](repeating: 0, count: 15) + [1])
    }
}
