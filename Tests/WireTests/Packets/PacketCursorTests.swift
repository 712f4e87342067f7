import Testing

@testable import AuthScanWire

private let request = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8))
private let packet = request.ipv4()
private let frame = request.ethernet

private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

/// Frames with the same request behind the headers of links and tunnels.
@Suite struct PacketCursorTests {
    static let links: [(UInt32, [UInt8])] = [
        // IEEE 802.3 with LLC, and Ethernet with other things before the packet.
        (1, join(ethernetHeader(60), [0x06, 0x06, 3], packet)),
        (1, join(ethernetHeader(60), [0xFE, 0xFE, 3, 0xCC], packet)),
        (1, join([1, 0, 0x0C, 0, 0], zeros(21), frame)),
        (1, join(ethernetHeader(0x88E7), zeros(4), frame)),
        (1, join(ethernetHeader(0x893F), zeros(6), [8, 0], packet)),
        (1, join(ethernetHeader(0x8926), zeros(4), [8, 0], packet)),
        (1, join(ethernetHeader(0x88E5), [0, 0, 0, 0, 0, 1, 8, 0], packet)),
        (1, join(ethernetHeader(0x88E5), [0x20], zeros(13), [8, 0], packet)),
        (1, join(ethernetHeader(0x894F), [0x0F, 0xC2, 1, 1, 0, 0, 1, 0xFF], packet)),
        (113, join([0, 0, 3, 33], zeros(12), TestPacket.wireless(TestPacket.snap(packet)))),
        (113, join(zeros(14), [0, 4], TestPacket.snap(packet))),
        (
            276,
            join(zeros(8), [3, 35], zeros(10), [0, 0, 8, 0, 0, 0, 0, 0], TestPacket.wireless(TestPacket.snap(packet)))
        ),
        // Point to point.
        (9, join([0xFF, 3, 0, 0x21], packet)),
        (9, join([0x21], packet)),
        (50, join([0xFF, 3, 0, 0x57], request.ipv6())),
        (51, join([0x11, 0, 0, 1, 0, 60, 0, 0x21], packet)),
        (204, join([1, 0xFF, 3, 0, 0x21], packet)),
        (166, join([1, 3, 0, 0x21], packet)),
        (9, join([0xFF, 3, 0, 0x3D, 0xC0, 0, 0, 1, 0, 0x21], packet)),
        (9, join([0xFF, 3, 0, 0x31, 0, 1], frame)),
        (9, join([0xFF, 3, 2, 0x81, 0, 0, 1, 64], packet)),
        (104, join([0x0F, 0, 8, 0], packet)),
        (104, join([0xFF, 3, 0, 0x21], packet)),
        (205, join([0, 0x0F, 0, 0x86, 0xDD], request.ipv6())),
        (104, join([0x0F, 0, 0xFE, 0xFE, 0xCC], packet)),
        (107, join([0x18, 0x41, 3, 0xCC], packet)),
        (107, join([0x18, 0x41, 8, 0], packet)),
        (206, join([0, 0x18, 0x41, 3, 0, 0x80, 0, 0, 0, 8, 0], packet)),
        (107, join([0x18, 0x41, 3, 0, 0x80, 0, 0x80, 0xC2, 0, 7], frame)),
        (107, join([0x18, 0x40, 0x40, 1, 3, 0xCF, 0, 0x21], packet)),
        // Other links.
        (6, join(zeros(14), TestPacket.snap(packet))),
        (6, join(zeros(8), [0x80], zeros(5), [6, 0x30, 0, 1, 0, 2], TestPacket.snap(packet))),
        (8, join(zeros(16), packet)),
        (7, join([1, 2, 240], packet)),
        (7, join([1, 2, 212, 0, 0, 1], packet)),
        (7, join([1, 2, 212, 0xFF, 0, 0, 0, 0, 0, 1], packet)),
        (129, join([1, 2, 0, 0, 240], packet)),
        (129, join([1, 2, 0, 0, 196, 0, 0, 1], request.ipv6())),
        (10, join(zeros(13), TestPacket.snap(packet))),
        (100, TestPacket.snap(packet)),
        (100, join([0xAA, 0xAA, 3, 0, 0x80, 0xC2, 0, 7, 0, 0], frame)),
        (123, join([2, 0, 0, 5], TestPacket.snap(packet))),
        (109, join(zeros(12), packet)),
        (117, join([61, 2], zeros(62), packet)),
        (138, join(zeros(16), [8, 0], packet)),
        (226, join(zeros(24), packet)),
        (240, join(zeros(4), frame)),
        (241, join(zeros(12), frame)),
        (239, join([2, 0, 0, 5, 8, 0, 1, 0, 8, 0, 3, 0], littleEndian(UInt16(packet.count + 4)), [9, 0], packet)),
        (239, join([2, 0, 0, 5, 0, 7, 0, 1, 8, 0, 3, 0], bigEndian(UInt16(packet.count + 4)), [0, 9], packet)),
        (281, join(zeros(12), zeros(4), [8, 0], packet)),
        (282, join(zeros(4), frame)),
        (284, join(zeros(16), [8, 0], packet)),
        (285, join(zeros(12), [0xDA, 0xDA], zeros(6), [8, 0], packet)),
        (178, join([0x4D, 0x47, 0x43, 1], frame)),
        (178, join([0x4D, 0x47, 0x43, 0x83, 0, 6], zeros(10), packet)),
        (179, join([0x4D, 0x47, 0x43, 1, 0, 0x21], packet)),
        (181, join([0x4D, 0x47, 0x43, 1, 0x0F, 0, 8, 0], packet)),
        (180, join([0x4D, 0x47, 0x43, 0x80, 0, 2, 1, 1, 0x18, 0x41, 3, 0xCC], packet)),
    ]

    static let wireless: [(UInt32, [UInt8])] = [
        (105, TestPacket.wireless(TestPacket.snap(packet))),
        (105, TestPacket.wireless(control: [0x88, 1], behindAddresses: [0, 0], TestPacket.snap(packet))),
        (105, TestPacket.wireless(control: [0x88, 0x83], behindAddresses: zeros(12), TestPacket.snap(packet))),
        (
            105,
            TestPacket.wireless(control: [0x88, 2], behindAddresses: [0x80, 0], aggregate([TestPacket.snap(packet)]))
        ),
        (127, join([0, 0, 8, 0, 0, 0, 0, 0], TestPacket.wireless(TestPacket.snap(packet)))),
        // TSFT and flags behind two words of presence: padded to 32 bits, check sequence at the end.
        (127, join([0, 0, 25, 0, 3, 0, 0, 0x80, 0, 0, 0, 0], zeros(12), [0x30], padded, zeros(4))),
        (119, join([0, 0, 0, 0x44, 0, 0, 0, 144], zeros(136), TestPacket.wireless(TestPacket.snap(packet)))),
        (119, join([0x44, 0, 0, 0, 144, 0, 0, 0], zeros(136), TestPacket.wireless(TestPacket.snap(packet)))),
        (163, join([0x80, 0x21, 0x10, 1, 0, 0, 0, 64], zeros(56), TestPacket.wireless(TestPacket.snap(packet)))),
        (192, join([0, 0, 8, 0, 105, 0, 0, 0], TestPacket.wireless(TestPacket.snap(packet)))),
        (192, join([0, 0, 12, 0, 1, 0, 0, 0], zeros(4), frame)),
    ]

    private static let padded = TestPacket.wireless(
        control: [0x88, 1],
        behindAddresses: [0, 0, 0, 0],
        TestPacket.snap(packet)
    )

    static let tunnels: [[UInt8]] = [
        TestPacket.ipv4(packet, protocol: 4),
        TestPacket.ipv4(request.ipv6(), protocol: 41),
        TestPacket.ipv6(packet, next: 4),
        TestPacket.ipv6(request.ipv6(), next: 41),
        TestPacket.ipv6(join([4, 0, 1, 4, 0, 0, 0, 0], packet), next: 60),
        TestPacket.ipv4([0x30, 0] + frame, protocol: 97),
        TestPacket.ipv4([0, 0, 1, 64] + packet, protocol: 137),
        TestPacket.ipv6(frame, next: 143),
        TestPacket.gre(flags: 0, type: 0x0800, packet),
        TestPacket.gre(flags: 0xB000, type: 0x86DD, join(zeros(12), request.ipv6())),
        TestPacket.gre(flags: 0x2000, type: 0x6558, join(zeros(4), frame)),
        TestPacket.gre(flags: 0x4000, type: 0x0800, join(zeros(4), [0, 1, 0, 2, 9, 9, 0, 0, 0, 0], packet)),
        TestPacket.gre(flags: 0x3081, type: 0x880B, join(zeros(12), [0xFF, 3, 0, 0x21], packet)),
        TestPacket.gre(flags: 0, type: 0x8847, join([0, 0, 1, 64], packet)),
        TestPacket.gre(flags: 0, type: 0x883E, join(zeros(4), packet)),
        TestPacket.gre(flags: 0, type: 0x883E, packet),
        // ERSPAN of types I, II and III; the last one with a platform's own header, and with IP alone.
        TestPacket.gre(flags: 0, type: 0x88BE, frame),
        TestPacket.gre(flags: 0x1000, type: 0x88BE, join(zeros(4), zeros(8), frame)),
        TestPacket.gre(flags: 0x1000, type: 0x22EB, join(zeros(4), zeros(12), frame)),
        TestPacket.gre(flags: 0x1000, type: 0x22EB, join(zeros(4), zeros(11), [1], zeros(8), frame)),
        TestPacket.gre(flags: 0x1000, type: 0x22EB, join(zeros(4), zeros(10), [8, 0], packet)),
        TestPacket.udp(to: 4789, join([8, 0, 0, 0, 0, 0, 9, 0], frame)),
        TestPacket.udp(to: 8472, join([8, 0, 0, 0, 0, 0, 9, 0], frame)),
        TestPacket.udp(to: 4790, join([0x0C, 0, 0, 1, 0, 0, 9, 0], packet)),
        TestPacket.udp(to: 4790, join([0x0C, 0, 0, 4, 0, 0, 9, 0, 0x0F, 0xC2, 1, 3, 0, 0, 1, 0xFF], frame)),
        TestPacket.udp(to: 6081, join([0x02, 0, 0x65, 0x58, 0, 0, 9, 0], zeros(8), frame)),
        TestPacket.udp(to: 6081, join([0, 0, 8, 0, 0, 0, 9, 0], packet)),
        TestPacket.udp(to: 2152, join([0x30, 255, 0, 60, 0, 0, 0, 1], packet)),
        // Sequence number, and the extensions 0x85 and 0x40.
        TestPacket.udp(
            to: 2152,
            join([0x36, 255, 0, 60, 0, 0, 0, 1, 0, 1, 0, 0x85, 1, 0, 9, 0x40, 1, 0, 9, 0], packet)
        ),
        TestPacket.udp(to: 3544, request.ipv6()),
        TestPacket.udp(to: 3544, join([0, 1, 2, 1, 7, 7, 7], zeros(9), [0, 0], zeros(6), request.ipv6())),
        TestPacket.udp(to: 1701, join([0, 2, 0, 1, 0, 1, 0xFF, 3, 0, 0x21], packet)),
        TestPacket.udp(to: 1701, join([0x4A, 2, 0, 60, 0, 1, 0, 1, 0, 1, 0, 2, 0, 2, 9, 9, 0, 0x21], packet)),
        TestPacket.udp(to: 6635, join([0, 0, 1, 64], packet)),
        TestPacket.udp(to: 4341, join(zeros(8), packet)),
        TestPacket.udp(to: 5072, join([0x41, 0x52, 0x11, 41], zeros(4), zeros(16), zeros(20), request.ipv6())),
        TestPacket.udp(to: 4754, join([0, 0, 8, 0], packet)),
        TestPacket.udp(to: 37008, join([1, 0, 0, 1, 0, 10, 1, 5, 1], frame)),
        TestPacket.udp(to: 37008, join([1, 0, 0, 18, 1], TestPacket.wireless(TestPacket.snap(packet)))),
    ]

    static let labels: [[UInt8]] = [
        join([0, 0, 0, 64, 0, 1, 1, 64], packet),
        join([0, 0, 1, 64], request.ipv6()),
        join([0, 0, 1, 64, 0, 0, 0, 0], frame),
        join([0, 0, 1, 64], frame),
        join([0, 0, 1, 64, 0x60], Array(frame.dropFirst())),
    ]

    static let routed: [[UInt8]] = [
        request.ipv6(nextHeader: 43, extensions: join([6, 2, 4, 0, 0, 0, 0, 0], zeros(16))),
        request.ipv6(nextHeader: 44, extensions: [6, 0, 0, 0, 0, 0, 0, 7]),
        request.ipv6(nextHeader: 135, extensions: [6, 0, 0, 0, 0, 0, 0, 0]),
    ]

    private static func aggregate(_ frames: [[UInt8]]) -> [UInt8] {
        frames.flatMap { body in
            join(zeros(12), bigEndian(UInt16(body.count)), body, zeros((4 - (14 + body.count) % 4) % 4))
        }
    }

    static let all =
        links + wireless + (tunnels + routed).map { (UInt32(101), $0) }
        + labels.map { (UInt32(1), ethernetHeader(0x8847) + $0) }

    @Test(arguments: all) func theRequestIsFound(linkType: UInt32, bytes: [UInt8]) throws {
        let capture = try analyze([pcap([bytes], linkType: linkType)])
        #expect(capture.summaries == ["GET / → –"])
        #expect(capture.connections.first?.bytesFromClient == request.payload.count)
        #expect(capture.connections.first?.gaps.isEmpty == true && capture.problems.isEmpty)
        #expect(capture.connections.first?.server.port == 80)
    }

    @Test(arguments: all) func aFrameCutAnywhereIsNoCrash(linkType: UInt32, bytes: [UInt8]) throws {
        for count in 0..<bytes.count {
            let cut = pcap([Array(bytes[..<count])], linkType: linkType, originalLengths: [0: bytes.count])
            #expect(try analyze([cut]).packets == 1)
        }
    }

    @Test func everySubframeIsRead() throws {
        let other = TestSegment(payload: Array("GET /b HTTP/1.1\r\n\r\n".utf8), clientPort: 40_001).ipv4()
        let body = Self.aggregate([TestPacket.snap(packet), TestPacket.snap(other)])
        let bytes = TestPacket.wireless(control: [0x88, 2], behindAddresses: [0x80, 0], body)
        #expect(try analyze([pcap([bytes], linkType: 105)]).summaries == ["GET / → –", "GET /b → –"])
    }

    @Test func aFrameWithAWrongCheckSequenceIsNotTrusted() throws {
        let bytes = [0, 0, 9, 0, 2, 0, 0, 0, 0x40] + TestPacket.wireless(TestPacket.snap(packet))
        #expect(try analyze([pcap([bytes], linkType: 127)]).connections.isEmpty)
    }

    /// RFC 8754 §2: the segment list is written from the last to the first, the destination is at its start.
    @Test func aPacketOnItsWayIsAddressedToItsLastSegment() throws {
        let last: [UInt8] = [0x20, 0x01, 0x0D, 0xB8] + zeros(11) + [0x99]
        let bytes = request.ipv6(nextHeader: 43, extensions: join([6, 4, 4, 1, 1, 0, 0, 0], last, zeros(16)))
        let capture = try analyze([pcap([bytes], linkType: 101)])
        #expect(capture.connections.first?.server.address.description == "2001:db8::99")
    }

    /// A mirror port may send a packet both as it was and in the tunnel that it went through.
    @Test func aPacketSeenInsideAndOutsideIsOne() throws {
        var conversation = TestConversation()
        conversation.client("GET /a HTTP/1.1\r\n\r\n")
        conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
        conversation.client("GET /b HTTP/1.1\r\n\r\n")
        conversation.server("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
        conversation.close()
        let frames = conversation.segments.flatMap { segment -> [[UInt8]] in
            [
                segment.ethernet,
                ethernetHeader(0x0800) + TestPacket.udp(to: 4789, [8, 0, 0, 0, 0, 0, 9, 0] + segment.ethernet),
            ]
        }
        let once = try analyze([pcap(conversation.segments.map(\.ethernet))])
        let twice = try analyze([pcap(frames)])
        #expect(twice.summaries == once.summaries && twice.connections.count == 1)
        #expect(twice.connections[0].bytesFromServer == once.connections[0].bytesFromServer)
        #expect(twice.connections[0].closedBy == once.connections[0].closedBy)
        #expect(twice.connections[0].gaps.isEmpty)
    }

    @Test func otherUDPIsNoTunnel() throws {
        #expect(try analyze([pcap([TestPacket.udp(to: 53, frame)], linkType: 101)]).connections.isEmpty)
    }
}
