import Testing

@testable import AuthScanWire

@Suite struct CaptureReaderSnoopTests {
    private static let frame = TestSegment(payload: Array("GET / HTTP/1.1\r\n\r\n".utf8)).ethernet

    @Test("a media type that has no registered number is counted and named")
    func namesUnknownMedia() throws {
        let capture = try analyze([snoop([Self.frame], dataLinkType: 7)])
        #expect(capture.packets == 1)
        #expect(capture.problems.map(\.kind) == [.unsupportedLinkType])
        #expect(capture.problems.first?.message.contains("of the file format's own numbering") == true)
    }

    @Test("a length that cannot be ends the file")
    func refusesLengths() throws {
        var file = snoop([Self.frame, Self.frame])
        // The record's length, smaller than what it includes.
        file[16 + 11] = 24
        let capture = try analyze([file])
        #expect(capture.packets == 0 && capture.problems.map(\.kind) == [.invalidLength])
    }

    @Test("a frame that snoop cut is cut")
    func noticesCutFrames() throws {
        var file = snoop([Self.frame])
        file[16 + 2] = 1
        #expect(try analyze([file]).truncatedPackets == 1)
    }

    @Test("another version is refused by name")
    func refusesOtherVersions() throws {
        var file = snoop([Self.frame])
        file[11] = 4
        #expect { try analyze([file]) } throws: { "\($0)".contains("a snoop capture of another version") }
    }
}
