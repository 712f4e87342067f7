import AuthScanNativeCodecs
import AuthScanWire
import Foundation
import TestSupport
import Testing

@testable import AuthScanCaptureIO

@Suite struct BlockReaderTests {
    /// A file with these bytes, which `body` may read.
    private func withFile(_ bytes: [UInt8], _ body: (String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.path + "/authscan-blocks-\(UUID().uuidString)"
        try Data(bytes).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func readAll(_ source: BlockReader) -> (bytes: [UInt8], counts: [Int], last: CaptureSource.Step) {
        var bytes: [UInt8] = []
        var counts: [Int] = []
        var block: [UInt8] = []
        while true {
            let step = source.next(recycling: &block)
            guard case .block(let next, let count) = step else { return (bytes, counts, step) }
            block = next
            bytes += next
            counts.append(count)
        }
    }

    @Test("every byte comes once and in order, whatever the length", arguments: [1, 262_144, 262_145, 3_000_001])
    func readsEverything(length: Int) throws {
        let content = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
        try withFile(content) { path in
            let source = try BlockReader(path: path)
            #expect(source.size == length && source.compression == nil)
            let (bytes, counts, last) = readAll(source)
            #expect(bytes == content && counts.last == length && counts == counts.sorted())
            guard case .end(damage: nil) = last else { return #expect(Bool(false), "the file did not just end") }
        }
    }

    @Test("a file that cannot be opened says so at once")
    func reportsMissingFile() {
        #expect(throws: CaptureError.self) { try BlockReader(path: "/nonexistent/capture.pcap") }
    }

    @Test("damage of compressed data comes with the end")
    func reportsDamage() throws {
        // The header of a gzip file, and a block of a type that there is not.
        try withFile([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xFF, 0xFF, 0xFF, 0xFF]) { path in
            let source = try BlockReader(path: path)
            #expect(source.compression == .gzip)
            guard case .end(damage: .some) = readAll(source).last else {
                return #expect(Bool(false), "the damage is not named")
            }
        }
    }

    @Test("what is compressed comes decompressed, once and in order")
    func readsCompressed() throws {
        let contents = (0..<40).map { part in (0..<60_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ part) } }
        try withFile(contents.flatMap { storedGzip($0) }) { path in
            let source = try BlockReader(path: path)
            #expect(source.compression == .gzip)
            let (bytes, counts, last) = readAll(source)
            #expect(bytes == contents.flatMap { $0 } && counts.last == source.size && counts == counts.sorted())
            guard case .end(damage: nil) = last else { return #expect(Bool(false), "the file did not just end") }
        }
    }

    @Test("a file that nobody reads on does not keep anybody waiting", arguments: [false, true])
    func letsGo(isCompressed: Bool) throws {
        let part = [UInt8](repeating: 7, count: 60_000)
        try withFile((0..<60).flatMap { _ in isCompressed ? storedGzip(part) : part }) { path in
            let source = try BlockReader(path: path)
            var block: [UInt8] = []
            _ = source.next(recycling: &block)
            source.abandon()
        }
    }
}
