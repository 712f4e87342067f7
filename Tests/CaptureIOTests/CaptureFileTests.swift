import AuthScanCaptureIO
import AuthScanWire
import Foundation
import TestSupport
import Testing

/// A file in the temporary directory that goes away with the object.
private final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "capture-\(UUID().uuidString)").path(
        percentEncoded: false
    )

    init(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: path)) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// A pcap file of three empty Ethernet frames.
private let capture: [UInt8] =
    [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 1, 0, 0, 0]
    + [[UInt8]](
        repeating: [0, 0, 0, 0, 0, 0, 0, 0, 14, 0, 0, 0, 14, 0, 0, 0] + [UInt8](repeating: 0, count: 14),
        count: 3
    )
    .flatMap { $0 }

private func read(_ path: String) throws(CaptureError) -> WireCapture {
    var analysis = CaptureAnalysis()
    try readCapture(path: path, into: &analysis)
    return analysis.finish()
}

private func reason(_ bytes: [UInt8]) throws -> CaptureError.Reason? {
    let file = try TemporaryFile(bytes)
    do {
        _ = try read(file.path)
        return nil
    } catch {
        return error.reason
    }
}

@Suite struct CaptureFileTests {
    @Test func aPlainFileIsRead() throws {
        let file = try TemporaryFile(capture)
        let result = try read(file.path)
        let expected = CaptureFileSummary(
            path: file.path,
            format: "pcap",
            compression: nil,
            packets: 3,
            bytes: capture.count
        )
        #expect(result.files == [expected])
    }

    @Test func progressNamesTheBytesReadAndTheSize() throws {
        let file = try TemporaryFile(capture)
        var analysis = CaptureAnalysis()
        var seen: [Int?] = []
        try readCapture(path: file.path, into: &analysis) { seen += [$0, $1] }
        #expect(seen == [capture.count, capture.count])
    }

    @Test func gzipIsRecognisedByContent() throws {
        let half = capture.count / 2
        let file = try TemporaryFile(storedGzip(Array(capture[..<half])) + storedGzip(Array(capture[half...])))
        let result = try read(file.path)
        #expect(result.files.first?.compression == "gzip")
        #expect(result.packets == 3 && result.problems.isEmpty)
    }

    @Test func damagedGzipKeepsWhatCameBefore() throws {
        let file = try TemporaryFile(storedGzip(capture, checkSumError: 7))
        let result = try read(file.path)
        #expect(result.packets == 3)
        #expect(result.problems.map(\.kind) == [.damagedCompression])
        let cut = try TemporaryFile(Array(storedGzip(capture).dropLast(20)))
        #expect(try read(cut.path).problems.map(\.kind).contains(.damagedCompression))
    }

    /// The capture, as `zstd` and `lz4` write it.
    static let compressed: [(String, [UInt8])] = [
        (
            "zstd",
            [
                0x28, 0xB5, 0x2F, 0xFD, 0x24, 0x72, 0xDD, 0x00, 0x00, 0x68, 0xD4, 0xC3, 0xB2, 0xA1, 0x02, 0x00, 0x04,
                0x00, 0x04, 0x00, 0x01, 0x00, 0x0E, 0x05, 0x00, 0x09, 0xEA, 0x04, 0xA0, 0x60, 0x97, 0x2F, 0xD8, 0x64,
                0x03, 0x5C, 0x18, 0x05, 0x57, 0x00,
            ]
        ),
        (
            "lz4",
            [
                0x04, 0x22, 0x4D, 0x18, 0x64, 0x40, 0xA7, 0x24, 0x00, 0x00, 0x00, 0x86, 0xD4, 0xC3, 0xB2, 0xA1, 0x02,
                0x00, 0x04, 0x00, 0x01, 0x00, 0x36, 0x04, 0x00, 0x01, 0x0D, 0x00, 0x23, 0x00, 0x0E, 0x04, 0x00, 0x0F,
                0x02, 0x00, 0x03, 0x0F, 0x1E, 0x00, 0x1C, 0x50, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
                0x51, 0x63, 0xD7, 0xC6,
            ]
        ),
    ]

    @Test(arguments: compressed) func compressionIsRecognisedByContent(name: String, bytes: [UInt8]) throws {
        let file = try TemporaryFile(bytes)
        let result = try read(file.path)
        #expect(result.files.first?.compression == name)
        #expect(result.packets == 3 && result.problems.isEmpty && result.files.first?.bytes == capture.count)
        let cut = try TemporaryFile(Array(bytes.dropLast(2)))
        #expect(try read(cut.path).problems.map(\.kind) == [.damagedCompression])
    }

    @Test func severalFilesGoOnCounting() throws {
        let file = try TemporaryFile(capture)
        var analysis = CaptureAnalysis()
        try readCapture(path: file.path, into: &analysis)
        try readCapture(path: file.path, into: &analysis)
        #expect(analysis.finish().packets == 6)
    }

    @Test func whatIsNoCaptureIsRefusedWithAReason() throws {
        #expect(try reason([]) == .empty)
        #expect(try reason(Array("hello, this is a text file\n".utf8)) == .notACapture(looksLike: "text"))
        #expect(try reason([0xD4, 0xC3, 0xB2]) == .notACapture(looksLike: nil))
        #expect(try reason(storedGzip(Array("hello, this is a text file\n".utf8))) == .notACapture(looksLike: "text"))
    }

    @Test func whatCannotBeOpenedIsRefusedWithAReason() throws {
        let directory = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        #expect(throws: CaptureError(path: directory, reason: .isDirectory)) { try read(directory) }
        #expect(throws: CaptureError(path: "/no/such/file", reason: .missing)) { try read("/no/such/file") }
    }

    @Test func aFileThatMayNotBeReadIsRefused() throws {
        let file = try TemporaryFile(capture)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file.path)
        withoutPrivileges {
            #expect(throws: CaptureError(path: file.path, reason: .permissionDenied)) { try read(file.path) }
        }
    }

    @Test func everyReasonIsOneClearLine() {
        let reasons: [CaptureError.Reason] = [
            .missing, .isDirectory, .permissionDenied, .empty, .notACapture(looksLike: "text"), .unreadable("broken"),
        ]
        for reason in reasons {
            let line = CaptureError(path: "a.pcap", reason: reason).description
            #expect(line.hasPrefix("a.pcap: ") && !line.contains("\n"))
        }
    }
}
