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
