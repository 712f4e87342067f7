import Testing

@testable import AuthScanWire

@Suite struct CaptureReaderERFTests {
    private static let segment = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8))

    @Test("raw IP has no pad before it")
    func readsRawIP() throws {
        let packet = Array(Self.segment.ethernet.dropFirst(14))
        #expect(try analyze([erf([packet], type: 22, pad: 0)]).summaries == ["GET / → –"])
    }

    @Test("records that fill space or describe the card are no frames of a link")
    func passesOverOtherRecords() throws {
        let frame = Self.segment.ethernet
        let filler = erf([frame], type: 48)
        let metadata = erf([frame], type: 27)
        let capture = try analyze([erf([frame]) + filler + metadata + erf([frame])])
        #expect(capture.packets == 3)
        #expect(capture.problems.map(\.kind) == [.unsupportedLinkType])
    }

    @Test("a record shorter than its header ends the file")
    func refusesLengths() throws {
        var file = erf([Self.segment.ethernet, Self.segment.ethernet])
        let second = file.count / 2
        file[second + 10] = 0
        file[second + 11] = 15
        let capture = try analyze([file])
        #expect(capture.packets == 1 && capture.problems.map(\.kind) == [.invalidLength])
    }

    @Test(
        "without a magic number, other files are not taken for it",
        arguments: [
            "a text of some length that is no capture at all\n", "{\"log\": {\"version\": \"1.2\", \"entries\": []}}",
            "\t\n\n\t\n\n\t\n\n\t\n\n\t\n\n\t\n\n\t\n\n\t\n\n\t\n\n",
        ]
    )
    func leavesTextAlone(text: String) { #expect(!isCapture(startingWith: Array(text.utf8))) }

    @Test("zeros, ones and the starts of other formats are none")
    func leavesOthersAlone() {
        for byte: UInt8 in [0, 1, 2, 0xFF] { #expect(!isCapture(startingWith: [UInt8](repeating: byte, count: 64))) }
        let program: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 62, 0, 1, 0, 0, 0]
        #expect(!isCapture(startingWith: program))
    }
}
