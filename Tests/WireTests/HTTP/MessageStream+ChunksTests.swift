import Testing

@testable import AuthScanWire

@Suite struct MessageStreamChunksTests {
    /// Reads bytes that frame chunks up to where something else begins; returns how many, and what the last one brought.
    private func read(
        _ text: String,
        with stream: inout MessageStream
    ) -> (count: Int, outcome: MessageStream.ChunkFraming) {
        var count = 0
        for byte in text.utf8 {
            let outcome = stream.readChunkFraming(byte)
            count += 1
            if outcome != .continues || !stream.isInChunkFraming { return (count, outcome) }
        }
        return (count, .continues)
    }

    @Test(
        "the size stands before the data, whatever follows it on its line",
        arguments: [("1f\r\n", 31), ("1F\n", 31), ("a;name=value\r\n", 10), ("0007 \t\r\n", 7)]
    )
    func readsSizes(line: String, size: Int) {
        var stream = MessageStream()
        stream.beginChunkSize()
        let (count, outcome) = read(line + "data", with: &stream)
        #expect(count == line.utf8.count && outcome == .continues)
        #expect(stream.mode == .chunkData && stream.remaining == size)
    }

    @Test(
        "the message ends with the empty line behind the trailers",
        arguments: ["", "Name: value\r\n", "a: b\nc: d\n"]
    )
    func readsTrailers(trailers: String) {
        var stream = MessageStream()
        stream.mode = .chunkEnd
        let text = "\r\n0\r\n" + trailers + "\r\n"
        let (count, outcome) = read(text + "HTTP/1.1 200 OK", with: &stream)
        #expect(count == text.utf8.count && outcome == .ended)
    }

    @Test("what cannot stand there breaks the framing", arguments: ["\r\n", "g", "1g", "-1", "123456789abcdef01"])
    func refusesOthers(line: String) {
        var stream = MessageStream()
        stream.beginChunkSize()
        #expect(read(line, with: &stream).outcome == .broken)
    }

    @Test("behind the data nothing but a line end may stand")
    func needsLineEnd() {
        var stream = MessageStream()
        stream.mode = .chunkEnd
        #expect(read("x", with: &stream).outcome == .broken)
    }
}
