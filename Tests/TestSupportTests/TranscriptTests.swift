import Foundation
import TestSupport
import Testing

@Suite struct TranscriptTests {
    @Test func placeholder() throws {
        let t = try Transcript(String(contentsOfFile: "/tmp/support-try/t.txt", encoding: .utf8))
        for (name, style) in CaptureStyle.all(seed: 7) {
            let c = t.capture(style)
            print(name, c.markedPackets, c.packetCount)
            try Data(c.bytes).write(to: URL(fileURLWithPath: "/tmp/support-try/\(name.replacingOccurrences(of: " ", with: "-")).pcap"))
        }
    }
}
