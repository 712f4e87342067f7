import AuthScanCaptureIO
import AuthScanWire
import Foundation
import TestSupport
import Testing

@Suite struct CaptureFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func read(_ name: String, _ content: [UInt8]?) throws(CaptureError) -> WireCapture {
        let path = folder.appending(path: name).path()
        if let content { _ = FileManager.default.createFile(atPath: path, contents: Data(content)) }
        var analysis = CaptureAnalysis()
        try readCapture(path: path, into: &analysis)
        return analysis.finish()
    }

    private func reason(_ body: () throws -> WireCapture) -> CaptureError.Reason? {
        do {
            _ = try body()
            return nil
        } catch {
            return (error as? CaptureError)?.reason
        }
    }

    @Test func readsAFile() throws {
        let generated = try Transcript("connection 1\n> GET /a\n< 200").capture()
        let capture = try read("a.pcap", generated.bytes)
        #expect(capture.packets == generated.packetCount)
        #expect(capture.files.map(\.format) == ["pcap"])
        #expect(capture.files.map(\.compression) == [nil])
    }

    @Test func saysWhyAFileCannotBeRead() throws {
        #expect(reason { try read("missing.pcap", nil) } == .missing)
        #expect(reason { try read("empty.pcap", []) } == .empty)
        #expect(reason { try read(".", nil) } == .isDirectory)
        #expect(
            reason { try read("text.pcap", Array("just some words in a file\n".utf8)) }
                == .notACapture(looksLike: "text")
        )
    }

    @Test("damaged compression is named, and what came before is analysed")
    func namesDamagedCompression() throws {
        // A gzip header, and a stored block of 24 bytes that announces more than there is.
        let header: [UInt8] = [0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0x01, 0x40, 0x00, 0xBF, 0xFF]
        let start = try Transcript("connection 1\n> GET /a\n< 200").capture().bytes.prefix(24)
        let capture = try read("cut.gz", header + start)
        #expect(capture.problems.map(\.kind) == [.damagedCompression])
        #expect(capture.files.map(\.compression) == ["gzip"])
    }
}
