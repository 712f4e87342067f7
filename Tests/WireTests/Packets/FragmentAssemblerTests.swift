import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

private let request = TestSegment(payload: Array("GET /long HTTP/1.1\r\nHost: intranet.example\r\n\r\n".utf8))

/// The request in fragments of `size` bytes of payload.
private func fragments(_ size: Int, identification: UInt16 = 7) -> [[UInt8]] {
    stride(from: 0, to: request.tcp.count, by: size).map { start in
        let end = min(start + size, request.tcp.count)
        return TestPacket.ipv4(
            Array(request.tcp[start..<end]),
            protocol: 6,
            identification: identification,
            position: start,
            hasMore: end < request.tcp.count
        )
    }
}

private func read(_ packets: [[UInt8]], limits: Limits = Limits()) throws -> WireCapture {
    try analyze([pcap(packets, linkType: 101)], limits: limits)
}

@Suite struct FragmentAssemblerTests {
    @Test(arguments: [8, 16, 24, 40]) func fragmentsArePutTogetherInAnyOrder(size: Int) throws {
        var random = SeededGenerator(seed: UInt64(size))
        for order in [fragments(size), fragments(size).reversed(), fragments(size).shuffled(using: &random)] {
            let capture = try read(order)
            #expect(capture.summaries == ["GET /long → –"] && capture.problems.isEmpty)
            #expect(capture.transactions.first?.request?.evidence.firstPacket == order.count)
        }
    }

    @Test func fragmentsOfIPv6ArePutTogether() throws {
        let packets = stride(from: 0, to: request.tcp.count, by: 32).map { start in
            let part = request.tcp[start..<min(start + 32, request.tcp.count)]
            let place = bigEndian(UInt16(start) | (start + 32 < request.tcp.count ? 1 : 0))
            return TestPacket.ipv6(join([6, 0], place, [0, 0, 0, 9], Array(part)), next: 44)
        }
        #expect(try read(packets.reversed()).summaries == ["GET /long → –"])
        // Whole in one fragment (RFC 6946).
        #expect(try read([TestPacket.ipv6([6, 0, 0, 0, 0, 0, 0, 9] + request.tcp, next: 44)]).summaries.count == 1)
    }

    @Test func copiesAndOverlapsChangeNothing() throws {
        let parts = fragments(16)
        let mirrored = try read(parts.flatMap { [$0, $0] })
        #expect(mirrored.summaries == ["GET /long → –"] && mirrored.problems.isEmpty)
        // The second copy of bytes 8 to 32 is another one: the first wins.
        let other = TestPacket.ipv4([UInt8](repeating: 0x41, count: 24), protocol: 6, position: 8, hasMore: true)
        #expect(try read([parts[0], parts[1], other] + parts[2...]).summaries == ["GET /long → –"])
        let holes = try read([parts[0], other] + parts[2...])
        #expect(holes.connections.count == 1 && holes.problems.isEmpty)
    }

    @Test func datagramsAreToldApart() throws {
        let other = fragments(24, identification: 8)
        let mixed = zip(fragments(24), other).flatMap { [$0, $1] }
        #expect(try read(mixed).problems.isEmpty)
        let crossed = try read([fragments(24)[0]] + other.dropFirst())
        #expect(crossed.problems.map(\.kind) == [.incompleteDatagrams])
    }

    @Test func whatThereIsOfAnIncompleteDatagramIsRead() throws {
        let parts = fragments(24)
        let capture = try read([parts[0]] + parts[2...])
        #expect(capture.connections.count == 1)
        #expect(capture.connections.first?.gaps.map(\.bytes) == [request.payload.count - 4])
        #expect(capture.problems.map(\.kind) == [.incompleteDatagrams] && capture.problems.first?.packet == 1)
        #expect(try read(Array(parts.dropFirst())).connections.isEmpty)
    }

    @Test func anIncompleteDatagramThatHoldsNoTCPIsNoProblem() throws {
        let body = Array(TestPacket.udp(to: 53, [UInt8](repeating: 0, count: 40)).dropFirst(20))
        let first = TestPacket.ipv4(Array(body.prefix(24)), protocol: 17, hasMore: true)
        let last = TestPacket.ipv4(Array(body.dropFirst(24)), protocol: 17, identification: 8, position: 24)
        #expect(try read([first, last]).problems.isEmpty)
        let tunnel = Array(TestPacket.udp(to: 4789, [UInt8](repeating: 8, count: 40)).dropFirst(20).prefix(24))
        #expect(try read([TestPacket.ipv4(tunnel, protocol: 17, hasMore: true)]).problems.count == 1)
    }

    @Test func aFragmentThatTheSnapshotLengthCutIsIncomplete() throws {
        let parts = fragments(40)
        let file = pcap(
            [Array(parts[0].dropLast(4))] + parts.dropFirst(),
            linkType: 101,
            originalLengths: [0: parts[0].count]
        )
        let capture = try analyze([file])
        #expect(capture.connections.first?.bytesFromClient == 16)
    }

    @Test func fragmentsThatCannotBeAreNoDatagram() throws {
        let beyond = TestPacket.ipv4([UInt8](repeating: 0, count: 64), protocol: 6, position: 65_528)
        let last = TestPacket.ipv4(Array(request.tcp.prefix(16)), protocol: 6, position: 8)
        let behindLast = TestPacket.ipv4([UInt8](repeating: 0, count: 64), protocol: 6, position: 0, hasMore: true)
        #expect(try read([beyond]).connections.isEmpty)
        #expect(try read([last, behindLast]).packets == 2)
        #expect(try read([TestPacket.ipv4([], protocol: 6, position: 8)]).connections.isEmpty)
    }

    @Test func whatWaitsIsBounded() throws {
        var limits = Limits()
        limits.fragmentedDatagrams = 4
        let starts = (0..<20).map { fragments(40, identification: UInt16($0))[0] }
        let capture = try read(starts, limits: limits)
        #expect(capture.problems.map(\.kind) == [.incompleteDatagrams])
        #expect(capture.problems.first?.message.hasPrefix("fragments of 20 IP datagrams") == true)
        limits = Limits()
        limits.fragmentBytes = 100
        let late = try read(starts + [fragments(40, identification: 0)[1]], limits: limits)
        #expect(late.problems.first?.message.hasPrefix("fragments of 21 IP datagrams") == true)
    }

    @Test func aDatagramIsGivenUpWithItsTime() throws {
        var assembler = FragmentAssembler(limits: Limits())
        let key = FragmentAssembler.Key(
            sourceHigh: 0,
            sourceLow: 1,
            destinationHigh: 0,
            destinationLow: 2,
            identification: 3,
            ipProtocol: 6,
            isIPv4: true
        )
        let fragment = FragmentAssembler.Fragment(
            key: key,
            position: 0,
            length: 4,
            isLast: false,
            ipProtocol: 6,
            packet: 1,
            time: Timestamp(nanoseconds: 0)
        )
        let result = withBytes(of: [1, 2, 3, 4]) { assembler.receive(fragment, payload: $0)?.bytes }
        #expect(result == nil)
        #expect(assembler.giveUp(at: Timestamp(nanoseconds: 30_000_000_000)) == nil)
        #expect(assembler.giveUp(at: Timestamp(nanoseconds: 30_000_000_001))?.bytes == [1, 2, 3, 4])
        #expect(assembler.giveUpNext() == nil && assembler.incomplete.count == 1)
    }

    @Test func aTunnelInFragmentsIsRead() throws {
        let inner = TestPacket.udp(to: 4789, [8, 0, 0, 0, 0, 0, 9, 0] + request.ethernet)
        let body = Array(inner[20...])
        let first = TestPacket.ipv4(Array(body[..<40]), protocol: 17, hasMore: true)
        let second = TestPacket.ipv4(Array(body[40...]), protocol: 17, position: 40)
        #expect(try read([second, first]).summaries == ["GET /long → –"])
    }
}
