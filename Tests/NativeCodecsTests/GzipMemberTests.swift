import AuthScanNativeCodecs
import Testing

@Suite struct GzipMemberTests {
    /// `printf hello | gzip -n`.
    static let hello: [UInt8] = [
        0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0, 0x03, 0xCB, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0x86, 0xA6, 0x10, 0x36, 0x05,
        0,
        0, 0,
    ]

    private func inflate(_ pieces: [[UInt8]]) throws -> (text: String, isComplete: Bool) {
        let inflater = try Inflater(outputSize: 3)
        var output: [UInt8] = []
        for piece in pieces { try inflater.decompress(piece) { output += $0 } }
        return (String(decoding: output, as: UTF8.self), inflater.isAtEnd)
    }

    @Test func inflatesWholeAndByteByByte() throws {
        #expect(try inflate([Self.hello]).text == "hello")
        let drops = try inflate(Self.hello.map { [$0] })
        #expect(drops.text == "hello")
        #expect(drops.isComplete)
    }

    @Test("members one after the other are one content")
    func joinsMembers() throws { #expect(try inflate([Self.hello + Self.hello]).text == "hellohello") }

    @Test("every cut is noticed", arguments: 1..<25)
    func noticesCuts(count: Int) throws {
        #expect(try inflate([Array(Self.hello.prefix(count))]).isComplete == false)
    }

    @Test func noticesDamage() {
        var damaged = Self.hello
        damaged[18] ^= 0xFF
        #expect(throws: Inflater.Failure.self) { try inflate([damaged]) }
    }
}
