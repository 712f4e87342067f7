import AuthScanBytes
import Foundation
import TestSupport
import Testing

@testable import AuthScanWire

/// Holds our reader of classic capture files against libpcap's: the same packets, with number, time, lengths and bytes.
///
/// `AUTHSCAN_CAPTURES=folder` adds every classic file below a folder, and prints how many there were.
@Suite struct CaptureReaderDifferentialTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../samples")
        .standardized

    @Test func samplesAreReadAlike() throws {
        let files = try Self.files(below: Self.samples)
        let compared = try files.reduce(into: 0) { count, file in count += try compare(file) ? 1 : 0 }
        #expect(compared >= 15)
    }

    @Test(arguments: [UInt32(0xA1B2_C3D4), 0xA1B2_3C4D, 0xA1B2_CD34], [false, true])
    func allFormsAreReadAlike(magic: UInt32, isBigEndian: Bool) throws {
        for minor in [UInt16(2), 3, 4] {
            let file = Self.capture(magic: magic, isBigEndian: isBigEndian, minor: minor)
            #expect(try compare(file, "form \(String(magic, radix: 16)), version 2.\(minor)"))
            for cut in [1, 20, file.count / 2, file.count - 30] {
                #expect(try compare(Array(file.dropLast(cut)), "form \(String(magic, radix: 16)), cut by \(cut)"))
            }
        }
    }

    @Test func damagedFilesAreReadAlike() throws {
        var random = SeededGenerator(seed: 11)
        let whole = Self.capture(magic: 0xA1B2_C3D4, isBigEndian: false, minor: 4)
        for round in 0..<400 {
            var file = whole
            for _ in 0..<4 {
                file[.random(in: 24..<file.count, using: &random)] = .random(in: .min ... .max, using: &random)
            }
            #expect(try compare(file, "round \(round)"))
        }
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["AUTHSCAN_CAPTURES"] != nil))
    func aFolderIsReadAlike() throws {
        let folder = ProcessInfo.processInfo.environment["AUTHSCAN_CAPTURES"] ?? ""
        let files = try Self.files(below: URL(filePath: folder))
        let compared = try files.reduce(into: 0) { count, file in count += try compare(file) ? 1 : 0 }
        print("\(files.count) files of the classic form, \(compared) of them read by libpcap and compared")
        #expect(compared > 0)
    }
}

extension CaptureReaderDifferentialTests {
    /// The files below a folder whose magic is that of a classic capture.
    private static func files(below folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path()).sorted().map { folder.appending(path: $0) }
            .filter { file in
                guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
                let start = [UInt8]((try? handle.read(upToCount: 4)) ?? Data())
                return start.count == 4 && withBytes(of: start) { PcapMagic($0.bigEndian32(0)) != nil }
            }
    }

    /// A file of some packets, one of them cut and one empty; older versions have the lengths of some records swapped.
    private static func capture(magic: UInt32, isBigEndian: Bool, minor: UInt16) -> [UInt8] {
        var file: [UInt8] = []
        func add(_ value: some FixedWidthInteger) {
            let bytes = (0..<value.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
            file += isBigEndian ? bytes.reversed() : bytes
        }
        add(magic)
        add(UInt16(2))
        add(minor)
        add(UInt64(0))
        add(UInt32(65_535))
        add(UInt32(1))
        for (index, lengths) in [(60, 60), (0, 0), (54, 1514), (9, 9), (300, 300)].enumerated() {
            add(UInt32(1_700_000_000 + index))
            add(UInt32(999_999 - index))
            let isSwapped = minor < 3 || (minor == 3 && index % 2 == 0)
            add(UInt32(isSwapped ? lengths.1 : lengths.0))
            add(UInt32(isSwapped ? lengths.0 : lengths.1))
            if magic == 0xA1B2_CD34 { add(UInt64(index)) }
            file += (0..<lengths.0).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ index) }
        }
        return file
    }

    private func compare(_ file: URL) throws -> Bool {
        try compare([UInt8](try Data(contentsOf: file)), file.lastPathComponent, path: file.path())
    }

    private func compare(_ bytes: [UInt8], _ name: String) throws -> Bool {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).pcap")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try compare(bytes, name, path: file.path())
    }

    /// Reads a file both ways and demands the same; `false` where libpcap does not read it.
    private func compare(_ bytes: [UInt8], _ name: String, path: String) throws -> Bool {
        let magic = withBytes(of: bytes) { $0.byteCount >= 4 ? PcapMagic($0.bigEndian32(0)) : nil }
        let isNanoseconds = magic?.isNanoseconds == true
        guard let theirs = LibpcapCapture(path: path, isNanoseconds: isNanoseconds) else { return false }
        let ours = read(bytes, isNanoseconds: isNanoseconds)
        if theirs.failure == nil {
            #expect(ours.packets.count == theirs.packets.count, "\(name)")
        } else {
            // libpcap gives a file up at lengths beyond its own limit.
            #expect(ours.packets.count >= theirs.packets.count, "\(name): \(theirs.failure ?? "")")
            #expect(ours.problems > 0 || ours.packets.count > theirs.packets.count, "\(name)")
        }
        let differing = zip(ours.packets, theirs.packets).enumerated().first { _, pair in
            !isSame(pair.0, pair.1, theirs.snapshotLength)
        }
        #expect(differing == nil, "\(name): packet \((differing?.offset ?? 0) + 1)")
        return true
    }

    /// libpcap cuts a packet to the file's snapshot length, which we do not; and an original length below the captured one is
    /// none for us.
    private func isSame(_ ours: LibpcapPacket, _ theirs: LibpcapPacket, _ snapshotLength: Int) -> Bool {
        ours.seconds == theirs.seconds && ours.fraction == theirs.fraction
            && ours.bytes.prefix(snapshotLength) == theirs.bytes[...]
            && ours.originalLength == max(theirs.originalLength, ours.bytes.count)
    }

    /// Our packets of a file, in libpcap's terms.
    private func read(_ bytes: [UInt8], isNanoseconds: Bool) -> (packets: [LibpcapPacket], problems: Int) {
        var reader = CaptureReader(limits: Limits())
        reader.beginFile(path: "memory")
        var packets: [LibpcapPacket] = []
        withBytes(of: bytes) { block in
            var position = 0
            while let frame = reader.nextFrame(in: block, at: &position) {
                #expect(frame.number == packets.count + 1)
                let header = frame.start - reader.recordHeaderBytes
                let fraction = reader.read32(block, header + 4)
                let seconds = reader.read32(block, header)
                let unit: Int64 = isNanoseconds ? 1 : 1000
                #expect(frame.time.nanoseconds == Int64(seconds) * 1_000_000_000 + Int64(fraction) * unit)
                packets.append(
                    LibpcapPacket(
                        seconds: seconds,
                        fraction: fraction,
                        originalLength: frame.originalLength,
                        bytes: Array(bytes[frame.start..<(frame.start + frame.count)])
                    )
                )
            }
            if position < block.byteCount { reader.carry(block.extracting(position..<block.byteCount)) }
        }
        reader.endFile()
        return (packets, reader.problems.count)
    }
}
