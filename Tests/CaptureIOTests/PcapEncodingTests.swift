import AuthScanWire
import Testing

@testable import AuthScanCaptureIO

@Suite struct PcapEncodingTests {
    @Test("our own reader reads what is written", arguments: [false, true])
    func isRead(isNanoseconds: Bool) throws {
        var file = PcapEncoding.fileHeader(linkType: 147, snapshotLength: 65_535, isNanoseconds: isNanoseconds)
        #expect(file.count == 24)
        PcapEncoding.appendRecordHeader(
            seconds: 1_700_000_000,
            fraction: 250,
            capturedLength: 3,
            originalLength: 9,
            to: &file
        )
        file += [1, 2, 3]
        var analysis = CaptureAnalysis()
        analysis.beginFile(path: "x", compression: nil)
        try analysis.receive(file)
        try analysis.endFile()
        let capture = analysis.finish()
        #expect(capture.packets == 1 && capture.truncatedPackets == 1)
        let fraction: Int64 = isNanoseconds ? 250 : 250_000
        #expect(capture.firstTime?.nanoseconds == 1_700_000_000_000_000_000 + fraction)
        #expect(capture.problems.map(\.kind) == [.unsupportedLinkType])
    }
}
