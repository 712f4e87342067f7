import AuthScanBytes
import AuthScanCaptureIO
import AuthScanWire
import Foundation
import TestSupport
import Testing

/// A folder with files in the temporary directory, which goes away with the object.
private final class TemporaryFolder {
    let url = FileManager.default.temporaryDirectory.appending(path: "captures-\(UUID().uuidString)")
    var path: String { url.path(percentEncoded: false) }

    init(_ files: [String: [UInt8]]) throws {
        try FileManager.default.createDirectory(at: url.appending(path: "inner"), withIntermediateDirectories: true)
        for (name, bytes) in files { try Data(bytes).write(to: url.appending(path: name)) }
    }

    deinit { try? FileManager.default.removeItem(at: url) }
}

private func transcript(_ client: String) throws -> GeneratedCapture {
    try Transcript("connection 1 from \(client)\n> GET /a\n< 200\nclosed by client").capture()
}

private func read(_ paths: [String]) -> (capture: WireCapture, failures: [CaptureError]) {
    var analysis = CaptureAnalysis()
    let failures = readCaptures(paths: paths, into: &analysis, limits: Limits())
    return (analysis.finish(), failures)
}

@Suite struct CaptureFolderTests {
    @Test func aFolderStandsForItsCaptures() throws {
        let capture = try transcript("192.0.2.1").bytes
        let folder = try TemporaryFolder([
            "b.pcap": capture, "a.pcapng": try Transcript("connection 1").capture(.pcapng).bytes,
            "c.gz": storedGzip(capture), "notes.txt": Array("no capture".utf8), ".hidden.pcap": capture, "empty": [],
            "inner/d.pcap": capture,
        ])
        #expect(try captures(at: folder.path) == ["a.pcapng", "b.pcap", "c.gz"].map { "\(folder.path)/\($0)" })
        #expect(try captures(at: folder.path + "/") == ["a.pcapng", "b.pcap", "c.gz"].map { "\(folder.path)/\($0)" })
        #expect(try captures(at: "\(folder.path)/notes.txt") == ["\(folder.path)/notes.txt"])
        #expect(try captures(at: "/no/such/file") == ["/no/such/file"])
        let empty = try TemporaryFolder(["notes.txt": Array("no capture".utf8)])
        #expect(throws: CaptureError(path: empty.path, reason: .noCaptures)) { try captures(at: empty.path) }
    }
}

@Suite struct CaptureInputTests {
    @Test func severalFilesAreOneCapture() throws {
        let first = try transcript("192.0.2.1")
        let second = try transcript("192.0.2.2")
        let folder = try TemporaryFolder([
            "a.pcap": first.bytes, "b.gz": storedGzip(second.bytes), "text": Array("a text and no capture".utf8),
        ])
        let paths = ["text", "b.gz", "missing", "a.pcap"].map { "\(folder.path)/\($0)" }
        let (capture, failures) = read(paths)
        #expect(Set(failures.map(\.reason)) == [.notACapture(looksLike: "text"), .missing])
        #expect(capture.packets == first.packetCount + second.packetCount)
        #expect(capture.connections.count == 2 && capture.transactions.count == 2)
        #expect(Set(capture.files.map(\.compression)) == [nil, "gzip"])
        // Both begin at the same moment: their packets alternate.
        #expect(capture.connections.map(\.firstPacket) == [1, 2])
    }

    @Test func damagedCompressionOfOneFileIsNamed() throws {
        let capture = try transcript("192.0.2.1")
        let folder = try TemporaryFolder([
            "a.gz": Array(storedGzip(capture.bytes).dropLast(9)), "b.pcap": try transcript("192.0.2.2").bytes,
        ])
        let result = read(["\(folder.path)/a.gz", "\(folder.path)/b.pcap"])
        #expect(result.failures.isEmpty && result.capture.transactions.count == 2)
        #expect(result.capture.problems.map(\.kind).contains(.damagedCompression))
    }
}
