import AuthScanBytes
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@Suite struct CaptureReaderTests {
    private static let transcript = "connection 1\n> GET /a\n< 200\n  body 30\n> GET /b\n< 404\nclosed by client"

    @Test(
        "every format and byte order gives the same packets",
        arguments: [CaptureStyle.plain, .nanosecond, .bigEndian, .pcapng]
    )
    func readsFormats(style: CaptureStyle) throws {
        let generated = try Transcript(Self.transcript).capture(style)
        let capture = try readCapture(generated.bytes)
        #expect(capture.packets == generated.packetCount)
        #expect(capture.problems.isEmpty)
        #expect(capture.transactions.map(\.response?.status) == [200, 404])
        #expect(capture.firstTime?.nanoseconds == Int64(Transcript.startSeconds) * 1_000_000_000)
    }

    @Test("how a file is cut into reads changes nothing", arguments: [1, 7, 64, 1000])
    func isIndependentOfReads(size: Int) throws {
        let bytes = try Transcript(Self.transcript).capture(.pcapng).bytes
        var analysis = CaptureAnalysis()
        analysis.beginFile(path: "memory", compression: nil)
        for start in stride(from: 0, to: bytes.count, by: size) {
            try analysis.receive(Array(bytes[start..<min(start + size, bytes.count)]))
        }
        try analysis.endFile()
        #expect(analysis.finish().transactions.map(\.response?.status) == [200, 404])
    }

    @Test("a file cut in a record keeps what lies before it, and says where", arguments: [CaptureStyle.plain, .pcapng])
    func namesTruncation(style: CaptureStyle) throws {
        let generated = try Transcript(Self.transcript).capture(style)
        let capture = try readCapture(Array(generated.bytes.dropLast(5)))
        #expect(capture.packets == generated.packetCount - 1)
        #expect(capture.problems.map(\.kind) == [.truncatedRecord])
        #expect(capture.problems.first?.packet == generated.packetCount)
    }

    @Test("an impossible record length ends the file with a named problem")
    func namesImpossibleLength() throws {
        var bytes = try Transcript(Self.transcript).capture().bytes
        bytes.replaceSubrange(32..<36, with: [0xFF, 0xFF, 0xFF, 0x7F])
        let capture = try readCapture(bytes)
        #expect(capture.packets == 0)
        #expect(capture.problems.map(\.kind) == [.invalidLength])
        #expect(capture.problems.first?.offset == 24)
    }

    @Test("a block with two different lengths ends the file with a named problem")
    func namesContradictoryBlock() throws {
        let generated = try Transcript(Self.transcript).capture(.pcapng)
        var bytes = generated.bytes
        bytes[bytes.count - 4] ^= 0x40
        let capture = try readCapture(bytes)
        #expect(capture.packets == generated.packetCount - 1)
        #expect(capture.problems.map(\.kind) == [.malformedBlock])
    }

    @Test(
        "what is no capture is refused with a word about what it is",
        arguments: [
            ("hello, this is a text file", "text"), ("{\"log\": {\"version\": 1.2}}     ", "JSON"),
            ("<html><body></body></html>", "XML"),
        ]
    )
    func refusesOtherContent(content: String, word: String) throws {
        let error = #expect(throws: CaptureError.self) { try readCapture(Array(content.utf8)) }
        #expect(error?.description.contains(word) == true)
    }

    @Test func refusesNothingAndTooLittle() {
        let empty = #expect(throws: CaptureError.self) { try readCapture([]) }
        #expect(empty?.reason == .empty)
        #expect(throws: CaptureError.self) { try readCapture([0xD4, 0xC3, 0xB2]) }
    }
}
