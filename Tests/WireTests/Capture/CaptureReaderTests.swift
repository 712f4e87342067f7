import AuthScanBytes
import Testing

@testable import AuthScanWire

/// A pcapng block with its length at both ends.
private func block(_ type: UInt32, _ body: [UInt8], isBigEndian: Bool = false) -> [UInt8] {
    func number(_ value: UInt32) -> [UInt8] { isBigEndian ? bigEndian(value) : littleEndian(value) }
    let padded = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
    let length = number(UInt32(padded.count + 12))
    return number(type) + length + padded + length
}

private let section = block(
    0x0A0D_0D0A,
    littleEndian(UInt32(0x1A2B_3C4D)) + [1, 0, 0, 0] + [UInt8](repeating: 0xFF, count: 8)
)

private func interface(_ linkType: UInt16 = 1, snapshotLength: UInt32 = 0, options: [UInt8] = []) -> [UInt8] {
    block(1, littleEndian(linkType) + [0, 0] + littleEndian(snapshotLength) + options)
}

private func enhanced(_ frame: [UInt8], interface: UInt32 = 0, time: UInt64 = 0, captured: UInt32? = nil) -> [UInt8] {
    let length = littleEndian(captured ?? UInt32(frame.count))
    let high = littleEndian(UInt32(time >> 32)) + littleEndian(UInt32(truncatingIfNeeded: time))
    return block(6, littleEndian(interface) + high + length + littleEndian(UInt32(frame.count)) + frame)
}

private let request = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8)).ethernet

@Suite struct CaptureReaderTests {
    @Test(arguments: [UInt32(0xA1B2_C3D4), 0xA1B2_3C4D], [false, true])
    func bothByteOrdersAndResolutionsAreRead(magic: UInt32, isBigEndian: Bool) throws {
        let capture = try analyze([pcap([request, request], magic: magic, isBigEndian: isBigEndian)])
        let unit: Int64 = magic == 0xA1B2_3C4D ? 1 : 1000
        #expect(capture.files.first?.format == "pcap" && capture.packets == 2)
        #expect(capture.lastTime?.nanoseconds == 1_700_000_000_000_000_000 + 1000 * unit)
        #expect(capture.summaries == ["GET / → –"])
    }

    @Test("secrets that the file brings along decrypt its packets")
    func usesEmbeddedSecrets() throws {
        let session = try #require(TLSRecordings.sessions["GCM-256"])
        var conversation = TestConversation()
        for piece in session.pieces {
            if piece.side == .client {
                conversation.client(bytes: piece.bytes)
            } else {
                conversation.server(bytes: piece.bytes)
            }
        }
        let text = Array(session.keyLog.joined(separator: "\n").utf8)
        let secrets = block(10, littleEndian(UInt32(0x544C_534B)) + littleEndian(UInt32(text.count)) + text)
        let packets = conversation.segments.flatMap { enhanced($0.ethernet) }
        let capture = try analyze([section + interface() + secrets + packets], blockSize: 100)
        #expect(capture.summaries == ["GET / → 204", "GET /2 → 200"])
        #expect(capture.problems.isEmpty)
    }

    @Test(arguments: 1...30) func blocksOfAnySizeGiveTheSamePackets(size: Int) throws {
        let simple = block(3, littleEndian(UInt32(request.count)) + request)
        let file = section + interface() + enhanced(request) + block(0xBAD, [1, 2, 3, 4, 5]) + simple
        let capture = try analyze([file], blockSize: size)
        #expect(capture.packets == 2 && capture.problems.isEmpty && capture.files.first?.format == "pcapng")
        let classic = try analyze([pcap([request, [], request])], blockSize: size)
        #expect(classic.packets == 3 && classic.problems.isEmpty)
    }

    @Test func everyPrefixIsCutSomewhere() throws {
        for file in [pcap([request]), section + interface() + enhanced(request)] {
            let boundaries =
                file.count == pcap([request]).count ? [24] : [section.count, section.count + interface().count]
            for count in 24..<file.count {
                let capture = try analyze([Array(file[..<count])])
                let kinds = capture.problems.map(\.kind)
                #expect(kinds == (boundaries.contains(count) ? [] : [.truncatedRecord]), "\(count) bytes")
            }
            #expect(try analyze([file]).problems.isEmpty)
        }
    }

    @Test func interfacesHaveTheirOwnLinkTypeAndClock() throws {
        let nanoseconds: [UInt8] = [9, 0, 1, 0, 9, 0, 0, 0]
        let halves: [UInt8] = [9, 0, 1, 0, 0x81, 0, 0, 0, 14, 0, 8, 0] + littleEndian(Int64(100)) + [0, 0, 0, 0]
        let raw = TestSegment(payload: Array("GET /raw HTTP/1.1\r\n\r\n".utf8), clientPort: 40_001).ipv4()
        let file = section + interface(options: nanoseconds) + interface(101, options: halves)
        let capture = try analyze([file + enhanced(request, time: 5) + enhanced(raw, interface: 1, time: 3)])
        #expect(capture.summaries == ["GET / → –", "GET /raw → –"])
        #expect(capture.firstTime?.nanoseconds == 5)
        #expect(capture.lastTime?.nanoseconds == 101_500_000_000)
    }

    @Test func aSectionForgetsTheInterfacesBeforeIt() throws {
        let other = block(
            0x0A0D_0D0A,
            bigEndian(UInt32(0x1A2B_3C4D)) + [0, 1, 0, 0] + [UInt8](repeating: 0xFF, count: 8),
            isBigEndian: true
        )
        let ethernet = block(1, bigEndian(UInt16(1)) + [UInt8](repeating: 0, count: 6), isBigEndian: true)
        let header =
            [UInt8](repeating: 0, count: 12) + bigEndian(UInt32(request.count)) + bigEndian(UInt32(request.count))
        let file = section + interface(147) + other + ethernet + block(6, header + request, isBigEndian: true)
        #expect(try analyze([file]).summaries == ["GET / → –"])
        let unknown = try analyze([section + interface() + section + enhanced(request) + enhanced(request)])
        #expect(unknown.problems.map(\.kind) == [.unknownInterface] && unknown.packets == 2)
    }

    @Test(arguments: [7, 24, 100, .max]) func damageIsNamedWithItsPlace(blockSize: Int) throws {
        let damaged = pcap([request, request]) + [UInt8](repeating: 0xFF, count: 40)
        let problem = try #require(try analyze([damaged], blockSize: blockSize).problems.first)
        #expect(problem.offset == damaged.count - 40 && problem.packet == 3)
        let cut =
            section + interface() + enhanced(request) + block(0xBAD, [UInt8](repeating: 1, count: 400))
            + enhanced(request).dropLast()
        let last = try #require(try analyze([cut], blockSize: blockSize).problems.first)
        #expect(last.offset == cut.count + 1 - enhanced(request).count && last.kind == .truncatedRecord)
    }

    @Test func simpleAndObsoletePacketBlocksAreRead() throws {
        let lengths = littleEndian(UInt32(request.count)) + littleEndian(UInt32(request.count))
        let obsolete = block(2, [0, 0, 0, 0] + [UInt8](repeating: 0, count: 8) + lengths + request)
        let simple = block(3, littleEndian(UInt32(request.count)) + request.prefix(60))
        let capture = try analyze([section + interface(snapshotLength: 60) + obsolete + simple])
        #expect(capture.packets == 2 && capture.truncatedPackets == 1)
        #expect(capture.summaries == ["GET / → –"])
    }

    @Test func anImpossibleRecordLengthEndsTheFile() throws {
        let damaged = pcap([request]) + [UInt8](repeating: 0xFF, count: 40)
        let problem = try #require(try analyze([damaged, pcap([request])]).problems.first)
        #expect(problem.kind == .invalidLength && problem.file == "file0.pcap")
        #expect(problem.packet == 2 && problem.offset == pcap([request]).count)
        #expect(try analyze([damaged, pcap([request])]).packets == 2)
    }

    @Test func contradictoryBlocksEndTheFile() throws {
        var unequal = enhanced(request)
        unequal[unequal.count - 4] ^= 4
        let short = block(6, [1, 2, 3, 4])
        let long = enhanced(request, captured: 5000)
        let tiny = littleEndian(UInt32(6)) + littleEndian(UInt32(8)) + [UInt8](repeating: 0, count: 8)
        let cases: [([UInt8], CaptureProblem.Kind)] = [
            (unequal, .malformedBlock), (short, .malformedBlock), (long, .malformedBlock), (tiny, .invalidLength),
            (block(1, [1, 0]), .malformedBlock),
            (block(0x0A0D_0D0A, [UInt8](repeating: 7, count: 16)), .malformedBlock),
        ]
        for (damage, kind) in cases {
            let capture = try analyze([section + interface() + enhanced(request) + damage + enhanced(request)])
            #expect(capture.problems.map(\.kind) == [kind] && capture.packets == 1)
            #expect(capture.problems.first?.offset == section.count + interface().count + enhanced(request).count)
        }
    }

    @Test func aSectionHeaderWithoutEndIsCut() throws {
        let endless =
            littleEndian(UInt32(0x0A0D_0D0A)) + littleEndian(UInt32(1 << 20)) + littleEndian(UInt32(0x1A2B_3C4D))
        #expect(try analyze([endless + [UInt8](repeating: 0, count: 100)]).problems.map(\.kind) == [.truncatedRecord])
    }

    @Test func aHugeBlockOfAnotherKindIsPassedOver() throws {
        let huge = block(0xBAD, [UInt8](repeating: 1, count: 300_000))
        #expect(try analyze([section + huge + interface() + huge + enhanced(request)], blockSize: 4096).packets == 1)
        let cut = try analyze([section + huge.prefix(200_000)], blockSize: 4096)
        #expect(cut.problems.map(\.kind) == [.truncatedRecord])
    }

    @Test func whatIsNoCaptureIsNamed() {
        let cases: [([UInt8], CaptureError.Reason)] = [
            ([], .empty),
            (Array("plain text that is long enough\n".utf8), .notACapture(looksLike: "text")),
            ([0x7F] + Array("ELF".utf8) + [UInt8](repeating: 0, count: 60), .notACapture(looksLike: "a program")),
        ]
        for (bytes, reason) in cases {
            #expect(throws: CaptureError(path: "file0.pcap", reason: reason)) { try analyze([bytes]) }
        }
    }
}

@Suite struct CaptureVariantTests {
    /// IXIA's lcap states the size of all records behind the header.
    @Test(arguments: [UInt32(0x1C00_01AC), 0x1C00_01AB], [false, true])
    func capturesOfIXIAAreRead(magic: UInt32, isBigEndian: Bool) throws {
        var file = pcap([request, request], magic: magic, isBigEndian: isBigEndian)
        file.insert(contentsOf: [9, 9, 9, 9], at: 24)
        for size in [1, 27, 1000] {
            let capture = try analyze([file], blockSize: size)
            #expect(capture.packets == 2 && capture.problems.isEmpty && capture.summaries == ["GET / → –"])
            let unit: Int64 = magic == 0x1C00_01AC ? 1 : 1000
            #expect(capture.lastTime?.nanoseconds == 1_700_000_000_000_000_000 + 1000 * unit)
        }
    }

    /// Kuznetzov's form has an interface index, a protocol and a packet type in each record's header.
    @Test func theModifiedFormIsRead() throws {
        var file = pcap([], magic: 0xA1B2_CD34)
        for _ in 0..<2 {
            file += littleEndian(UInt32(1)) + littleEndian(UInt32(2)) + littleEndian(UInt32(request.count))
            file += littleEndian(UInt32(request.count)) + [1, 0, 0, 0, 8, 0, 0, 0] + request
        }
        #expect(try analyze([file], blockSize: 7).packets == 2)
        #expect(try analyze([file]).summaries == ["GET / → –"])
    }

    /// Before version 2.4, some programs wrote the original length first.
    @Test func swappedLengthsAreRead() throws {
        let cut = Array(request.dropLast(3))
        var file = pcap([cut, cut], originalLengths: [0: request.count, 1: request.count])
        file[6] = 3
        let lengths = 24 + 8..<24 + 16
        file.replaceSubrange(lengths, with: Array(file[lengths].suffix(4)) + file[lengths].prefix(4))
        let capture = try analyze([file])
        #expect(capture.packets == 2 && capture.truncatedPackets == 2 && capture.problems.isEmpty)
    }

    @Test(arguments: [1, 24, 27, 100]) func foreignContentInSmallPiecesIsRefused(size: Int) {
        let text = Array("a text that is no capture, and long enough".utf8)
        #expect(throws: CaptureError.self) { try analyze([text], blockSize: size) }
        #expect(throws: CaptureError.self) { try analyze([Array(text.prefix(26))], blockSize: size) }
    }
}

@Suite struct CaptureBlockTests {
    private static func options(_ pairs: [(UInt16, [UInt8])], isEnded: Bool = true) -> [UInt8] {
        let end: [UInt8] = isEnded ? [0, 0, 0, 0] : []
        return pairs.reduce(into: []) { list, option in
            list += littleEndian(option.0) + littleEndian(UInt16(option.1.count)) + option.1
            list += [UInt8](repeating: 0, count: (4 - option.1.count % 4) % 4)
        } + end
    }

    private static func process(_ id: UInt32, _ name: String, isEnded: Bool = true) -> [UInt8] {
        block(0x8000_0001, littleEndian(id) + options([(2, Array(name.utf8)), (4, [1, 2, 3])], isEnded: isEnded))
    }

    /// An enhanced packet block with options behind the frame.
    private static func packet(_ port: UInt16, _ pairs: [(UInt16, UInt32)], isEnded: Bool = true) -> [UInt8] {
        let frame = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8), clientPort: port).ethernet
        let padding = [UInt8](repeating: 0, count: (4 - frame.count % 4) % 4)
        let values: [(UInt16, [UInt8])] = pairs.map { ($0.0, littleEndian($0.1)) }
        let list = options([(1, Array("seen".utf8))] + values, isEnded: isEnded)
        let length = littleEndian(UInt32(frame.count))
        return block(6, join([UInt8](repeating: 0, count: 12), length, length, frame, padding, list))
    }

    @Test(arguments: [false, true]) func packetsNameTheirProcess(isEnded: Bool) throws {
        let processes =
            Self.process(700, "com.apple.WebKit.Networking", isEnded: isEnded) + Self.process(650, "Intranet\0")
        let packets =
            Self.packet(1, [(0x8001, 0), (0x8003, 1)], isEnded: isEnded) + Self.packet(2, [(0x8001, 1), (0x8003, 1)])
            + Self.packet(3, [(0x8003, 1)]) + Self.packet(4, []) + Self.packet(5, [(0x8001, 9)])
        let capture = try analyze([section + interface() + processes + packets])
        let named = capture.connections.map { capture.process(of: $0) }
        #expect(named.map { $0?.process.name } == ["com.apple.WebKit.Networking", "Intranet", "Intranet", nil, nil])
        #expect(named.map { $0?.process.id } == [700, 650, 650, nil, nil])
        #expect(named.map { $0?.effective?.name } == ["Intranet", nil, nil, nil, nil])
        // A section counts its own processes.
        let other = try analyze([section + processes + section + interface() + Self.packet(1, [(0x8001, 0)])])
        #expect(other.processes.isEmpty)
    }

    @Test func secretsAreKeptApart() throws {
        let keys = Array("CLIENT_RANDOM 00 11\n".utf8)
        let secrets = block(10, littleEndian(UInt32(0x544C_534B)) + littleEndian(UInt32(keys.count)) + keys)
        let capture = try analyze([section + interface() + secrets + enhanced(request)], blockSize: 9)
        #expect(capture.embeddedSecrets.blocks.map(\.kind) == [.tlsKeyLog])
        #expect(capture.embeddedSecrets.blocks.first?.content.withRevealed { $0 } == keys)
        #expect(!"\(capture.embeddedSecrets)".contains("CLIENT") && capture.summaries == ["GET / → –"])
        var limits = Limits()
        limits.embeddedSecretBytes = 30
        let bounded = try analyze([section + secrets + secrets], limits: limits)
        #expect(bounded.embeddedSecrets.blocks.count == 1 && bounded.embeddedSecrets.blocksLeftOut == 1)
    }

    /// The statistics of an interface: how many packets it dropped, and how many the system.
    private static func statistics(_ interface: UInt32, _ byInterface: UInt64, _ bySystem: UInt64) -> [UInt8] {
        let values: [(UInt16, [UInt8])] = [
            (4, littleEndian(UInt64(99))), (5, littleEndian(byInterface)), (7, littleEndian(bySystem)),
        ]
        return block(5, littleEndian(interface) + [UInt8](repeating: 0, count: 8) + options(values))
    }

    @Test("what each section's interfaces dropped is a problem of the capture; the last count of an interface holds")
    func droppedPacketsAreNamed() throws {
        let first = Self.statistics(0, 1, 2) + Self.statistics(1, 10, 20) + Self.statistics(0, 3, 4)
        let file = section + interface() + interface() + enhanced(request) + first + Self.statistics(7, 99, 99)
        let second = section + interface() + enhanced(request) + Self.statistics(0, 0, 5) + enhanced(request)
        let capture = try analyze([file + second + section + interface() + Self.statistics(0, 0, 0)], blockSize: 50)
        #expect(capture.packets == 3)
        #expect(capture.problems.map(\.kind) == [.droppedPackets, .droppedPackets])
        #expect(
            capture.problems.map { $0.message.split(separator: ": ").last } == [
                "24 by the system, 13 by the interface", "5 by the system, 0 by the interface",
            ]
        )
        let huge = section + interface() + Self.statistics(0, .max, .max) + interface() + Self.statistics(1, 5, 5)
        #expect(try analyze([huge]).problems.count == 1)
    }

    @Test func otherBlocksArePassedOver() throws {
        let others = [UInt32(4), 5, 0xBAD, 0x4000_0BAD, 0x9, 0x8000_0002].flatMap {
            block($0, [1, 2, 3, 4, 5, 6, 7, 8])
        }
        let short = block(10, [1, 2]) + block(0x8000_0001, [1])
        let capture = try analyze([section + others + interface() + short + others + enhanced(request) + others])
        #expect(capture.packets == 1 && capture.problems.isEmpty)
    }

    @Test func aHugeBlockThatOnlyAddsIsPassedOver() throws {
        var limits = Limits()
        limits.recordBytes = 1000
        let huge =
            block(0x8000_0001, [UInt8](repeating: 1, count: 2000)) + block(10, [UInt8](repeating: 1, count: 2000))
        let capture = try analyze([section + huge + interface() + enhanced(request)], blockSize: 64, limits: limits)
        #expect(capture.packets == 1 && capture.problems.isEmpty && capture.embeddedSecrets.blocks.isEmpty)
    }
}

@Suite struct CaptureInterfaceTests {
    @Test(arguments: [
        (UInt8(6), Int64(0), UInt64(1_500_000), Int64(1_500_000_000)), (9, 0, 7, 7), (0, 2, 3, 5_000_000_000),
        (12, 0, 1_500, 1), (0x80, 0, 2, 2_000_000_000), (0x8A, 0, 1536, 1_500_000_000), (0xBF, 0, .max, 1_999_999_999),
        (0xC0, 0, .max, 0), (40, 0, .max, 0), (0, 0, .max, .max), (6, -1, 0, -1_000_000_000),
    ])
    func unitsBecomeNanoseconds(resolution: UInt8, offset: Int64, units: UInt64, expected: Int64) {
        let interface = CaptureInterface(linkType: .ethernet, snapshotLength: 0, resolution: resolution, offset: offset)
        #expect(interface.timestamp(units).nanoseconds == expected)
    }
}
