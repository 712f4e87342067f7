import AuthScanKit
import AuthScanReport
import Foundation
import TestSupport
import Testing

/// Holds the reports on every sample against the ones that are kept.
///
/// `AUTHSCAN_UPDATE_GOLDEN=1 swift test --filter GoldenReportTests` writes them anew; the diff is read in review.
@Suite(.serialized) struct GoldenReportTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../samples").standardized
    private static let isUpdating = ProcessInfo.processInfo.environment["AUTHSCAN_UPDATE_GOLDEN"] == "1"

    private static func names(withSuffixes suffixes: [String]) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: samples.path())
            .filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
    }

    private func check(_ bytes: [UInt8], _ path: String) throws {
        let file = Self.samples.appending(path: path)
        if Self.isUpdating {
            try Data(bytes).write(to: file)
        } else {
            let kept = [UInt8](try Data(contentsOf: file))
            // Compared outside of the macro, which would print both in full.
            let isSame = kept == bytes
            #expect(isSame, "\(path) differs; make golden writes it anew")
        }
    }

    @Test func generatedSamplesAreCurrent() throws {
        let transcripts = try Self.names(withSuffixes: [".transcript"])
        #expect(transcripts.count >= 3)
        for name in transcripts {
            let text = try String(contentsOf: Self.samples.appending(path: name), encoding: .utf8)
            // `name.pcapng.transcript` asks for that form, `name.transcript` for the classic one.
            let isBlockForm = name.hasSuffix(".pcapng.transcript")
            let capture = try Transcript(text).capture(isBlockForm ? .pcapng : .plain)
            try check(capture.bytes, name.replacing(".transcript", with: isBlockForm ? "" : ".pcap"))
        }
    }

    @Test func reportsAreAsKept() throws {
        let captures = try Self.names(withSuffixes: [".pcap", ".pcapng", ".gz"])
        #expect(captures.count >= 20)
        for name in captures {
            let path = Self.samples.appending(path: name).path()
            let report = try Analyzer().analyze([path])
            // The path is that of the machine; the report is to be the same everywhere.
            let json = String(decoding: JSONReport(secrets: .redact).render(report), as: UTF8.self)
                .replacing(path, with: name)
            let text = TextReport(isColoured: false).render(report).replacing(path, with: name)
            try check(Array(json.utf8), "expected/\(name).json")
            try check(Array(text.utf8), "expected/\(name).txt")
        }
    }

    @Test func everySampleHasItsPage() throws {
        let index = try String(contentsOf: Self.samples.appending(path: "README.md"), encoding: .utf8)
        for name in try Self.names(withSuffixes: [".pcap", ".pcapng", ".gz"]) {
            #expect(index.contains(name), "samples/README.md does not name \(name)")
        }
    }
}
