import Testing

@testable import AuthScanWire

private let request = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8))
private let zeros = [UInt8](repeating: 0, count: 16)

/// Frames of all link types and network layers, each with the same request in it.
@Suite struct PacketDecoderTests {
    static let frames: [(UInt32, [UInt8])] = [
        (1, ethernetHeader(0x0800) + request.ipv4()),
        (1, ethernetHeader(0x86DD) + request.ipv6()),
        (1, ethernetHeader(0x8100) + [0, 10, 0x08, 0] + request.ipv4()),
        (1, ethernetHeader(0x88A8) + [0, 10, 0x91, 0, 0, 2, 0x81, 0, 0, 3, 0x86, 0xDD] + request.ipv6()),
        (1, ethernetHeader(0x8864) + [0x11, 0, 0, 1, 0, 60, 0, 0x21] + request.ipv4()),
        (1, ethernetHeader(0x8864) + [0x11, 0, 0, 1, 0, 80, 0, 0x57] + request.ipv6()),
        (1, ethernetHeader(70) + [0xAA, 0xAA, 3, 0, 0, 0, 8, 0] + request.ipv4()),
        (113, zeros.prefix(14) + [8, 0] + request.ipv4()),
        (113, zeros.prefix(14) + [0x81, 0, 0, 9, 8, 0] + request.ipv4()),
        (276, [8, 0] + zeros + [0, 0] + request.ipv4()),
        (276, [0x86, 0xDD] + zeros + [0, 0] + request.ipv6()),
        (0, [2, 0, 0, 0] + request.ipv4()), (0, [0, 0, 0, 2] + request.ipv4()),
        (0, [30, 0, 0, 0] + request.ipv6()), (108, [0, 0, 0, 24] + request.ipv6()),
        (12, request.ipv4()), (14, request.ipv6()), (101, request.ipv4()), (101, request.ipv6()),
        (228, request.ipv4()), (229, request.ipv6()),
        (101, request.ipv6(nextHeader: 0, extensions: [60, 0, 1, 4, 0, 0, 0, 0, 6, 1] + zeros.prefix(14))),
        (
            101,
            request.ipv6(
                nextHeader: 43,
                extensions: [51, 0] + zeros.prefix(6) + [44, 1] + zeros.prefix(10) + [6, 0, 0, 1, 0, 0, 0, 7]
            )
        ),
        (1, ethernetHeader(0x0800) + request.ipv4() + zeros),
        (1, ethernetHeader(0x0800) + request.ipv4(totalLength: 0)),
        (101, request.ipv6(payloadLength: 0)),
    ]

    @Test(arguments: frames) func theRequestIsFound(linkType: UInt32, frame: [UInt8]) throws {
        let capture = try analyze([pcap([frame], linkType: linkType)])
        #expect(capture.summaries == ["GET / → –"])
        #expect(capture.connections.first?.bytesFromClient == request.payload.count)
        #expect(capture.connections.first?.gaps.isEmpty == true)
    }

    @Test(arguments: frames) func aFrameCutAnywhereIsNoCrash(linkType: UInt32, frame: [UInt8]) throws {
        for count in 0..<frame.count {
            _ = try analyze([pcap([Array(frame[..<count])], linkType: linkType, originalLengths: [0: frame.count])])
        }
    }

    @Test func whatTheSnapshotLengthCutIsAGap() throws {
        let whole = TestSegment(payload: Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8)).ethernet
        let file = pcap([Array(whole.dropLast(8))], originalLengths: [0: whole.count])
        let capture = try analyze([file])
        #expect(capture.truncatedPackets == 1 && capture.connections.first?.truncatedPackets == 1)
        #expect(capture.connections.first?.gaps == [Gap(from: .client, bytes: 8, beforePacket: 1)])
        #expect(capture.transactions.first?.request?.isHeadComplete == false)
    }

    @Test func unknownLinkTypesAreCounted() throws {
        let foreign = try analyze([pcap([zeros, zeros], linkType: 189)])
        #expect(foreign.problems.map(\.kind) == [.unsupportedLinkType])
        #expect(foreign.problems.first?.message == "2 packets of link type 189 (USB) are counted, not read")
    }

    @Test func encryptedWirelessFramesAreCounted() throws {
        let open: [UInt8] = [0x08, 1] + [UInt8](repeating: 0, count: 22)
        let closed: [UInt8] = [0x08, 0x41] + [UInt8](repeating: 0, count: 22)
        let management: [UInt8] = [0x80, 0x40] + [UInt8](repeating: 0, count: 22)
        let capture = try analyze([pcap([closed, open, management, closed], linkType: 105)])
        #expect(capture.problems.map(\.kind) == [.encryptedFrames] && capture.problems.first?.packet == 1)
        #expect(capture.problems.first?.message.hasPrefix("2 IEEE 802.11 data frames are encrypted") == true)
    }

    /// The ends of headers that lead to themselves must come.
    @Test func endlessHeadersEnd() throws {
        let labels = [UInt8](repeating: 0, count: 60_000)
        let tags = [[UInt8]](repeating: [0, 1, 0x81, 0], count: 15_000).flatMap { $0 }
        for (type, body) in [(UInt16(0x8847), labels), (0x8100, tags)] {
            #expect(try analyze([pcap([ethernetHeader(type) + body])]).connections.isEmpty)
        }
        let tunnels = (0..<500).reduce(request.ipv4()) { packet, _ in packetInPacket(packet) }
        #expect(try analyze([pcap([tunnels], linkType: 101)]).connections.isEmpty)
    }

    private func packetInPacket(_ packet: [UInt8]) -> [UInt8] { TestPacket.ipv4(packet, protocol: 4) }

    @Test func headersThatCannotBeAreNoSegments() throws {
        var shortHeader = request.ipv4()
        shortHeader[0] = 0x44
        var longOptions = request.ipv4()
        longOptions[32] = 0xF0
        var udp = request.ipv4()
        udp[9] = 17
        var noOptions = request.ipv4()
        noOptions[32] = 0x40
        for packet in [shortHeader, longOptions, udp, noOptions, [0x50] + zeros] {
            #expect(try analyze([pcap([packet], linkType: 101)]).connections.isEmpty)
        }
    }
}
