import Testing

@testable import AuthScanWire

/// A packet tap's header of version 1, then the frame.
func packetTap(
    _ frame: [UInt8],
    linkType: UInt32 = 1,
    process: (String, Int32) = ("", 0),
    effective: (String, Int32) = ("", 0),
    frameHeader: UInt32 = 14
) -> [UInt8] {
    func name(_ text: String) -> [UInt8] {
        Array(text.utf8.prefix(16)) + [UInt8](repeating: 0, count: 20 - min(16, text.utf8.count))
    }
    var header = littleEndian(UInt32(156)) + littleEndian(UInt32(1)) + littleEndian(linkType)
    header += Array("en0".utf8) + [UInt8](repeating: 0, count: 21)
    header += join([2, 0, 0, 0, 2, 0, 0, 0], littleEndian(frameHeader), [0, 0, 0, 0])
    header += join(littleEndian(process.1), name(process.0), [0, 0, 0, 0, 6, 0, 0, 0])
    header += littleEndian(effective.1) + name(effective.0)
    return header + [UInt8](repeating: 0, count: 156 - header.count) + frame
}

/// A packet tap's header of version 2, then the frame.
func packetTapVersion2(
    _ frame: [UInt8],
    process: (String, Int32),
    effective: (String, Int32) = ("", 0)
) -> [UInt8] {
    let name = Array(process.0.utf8) + [0]
    let other = effective.0.isEmpty ? [] : Array(effective.0.utf8) + [0]
    let length = 44 + name.count + other.count
    var header: [UInt8] = [UInt8(length), 0, 0, 40, 44, other.isEmpty ? 0 : UInt8(44 + name.count)]
    header += [1, 0, 14, 0, 0, 0, 6, 0, 6, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    header += littleEndian(process.1) + littleEndian(effective.1) + littleEndian(UInt32(0x0008_0002))
    return join(header, Array("en0".utf8), [0], name, other, frame)
}

private let request = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8))
private typealias Process = ProcessInformation.Process

@Suite struct PacketTapHeaderTests {
    @Test(arguments: [UInt32(258), 149]) func theProcessIsNamed(linkType: UInt32) throws {
        let frames = [
            packetTap(request.ethernet, process: ("Safari", 512), effective: ("Safari", 512)),
            packetTapVersion2(request.ethernet, process: ("Safari", 512)),
        ]
        for frame in frames {
            let capture = try analyze([pcap([frame], linkType: linkType)])
            #expect(capture.summaries == ["GET / → –"] && capture.problems.isEmpty)
            let process = try #require(capture.process(of: capture.connections[0]))
            #expect(process == ProcessInformation(process: Process(name: "Safari", id: 512), effective: nil))
        }
    }

    @Test func theEffectiveProcessIsNamed() throws {
        let frames = [
            packetTap(request.ethernet, process: ("com.apple.WebKit", 700), effective: ("Intranet", 650)),
            packetTapVersion2(request.ethernet, process: ("com.apple.WebKit", 700), effective: ("Intranet", 650)),
        ]
        for frame in frames {
            let capture = try analyze([pcap([frame, frame], linkType: 258)])
            #expect(capture.processes.count == 1)
            #expect(capture.processes.first?.process == Process(name: "com.apple.WebKit", id: 700))
            #expect(capture.processes.first?.effective == Process(name: "Intranet", id: 650))
        }
    }

    @Test func framesOfAnyLinkTypeAreRead() throws {
        let frames = [
            packetTap(request.ipv4(), linkType: 12, frameHeader: 0),
            packetTap([0, 0, 0, 2] + request.ipv4(), linkType: 0),
            packetTap([2, 0, 0, 0] + request.ipv4(), linkType: 12, frameHeader: 4),
        ]
        for frame in frames { #expect(try analyze([pcap([frame], linkType: 258)]).summaries == ["GET / → –"]) }
    }

    @Test func noProcessIsNone() throws {
        let capture = try analyze([pcap([packetTap(request.ethernet, process: ("", -1))], linkType: 258)])
        #expect(capture.processes.isEmpty && capture.process(of: capture.connections[0]) == nil)
    }

    @Test func anyPrefixIsNoCrash() throws {
        let frames = [packetTap(request.ethernet), packetTapVersion2(request.ethernet, process: ("a", 1))]
        for frame in frames {
            for count in 0..<frame.count {
                #expect(try analyze([pcap([Array(frame[..<count])], linkType: 258)]).packets == 1)
            }
        }
    }

    @Test func otherContentOfTheLinkTypeIsCounted() throws {
        let capture = try analyze([pcap([[UInt8](repeating: 0x55, count: 200)], linkType: 149)])
        #expect(capture.problems.map(\.kind) == [.unsupportedLinkType])
        // A tap inside of a tap would have no end.
        #expect(
            try analyze([pcap([packetTap(packetTap(request.ethernet), linkType: 258)], linkType: 258)]).connections
                .isEmpty
        )
    }
}
