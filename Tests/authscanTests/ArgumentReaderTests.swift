import Testing

@testable import authscan

@Suite struct ArgumentReaderTests {
    @Test("options and words are told apart, and -- ends the options")
    func tellsApart() {
        var reader = ArgumentReader(["--format=json", "a.pcap", "-", "--quiet", "--", "--odd-name"])
        #expect(reader.next() == .option(name: "--format", value: "json"))
        #expect(reader.next() == .word("a.pcap"))
        #expect(reader.next() == .word("-"))
        #expect(reader.next() == .option(name: "--quiet", value: nil))
        #expect(reader.next() == .word("--odd-name"))
        #expect(reader.next() == nil)
    }

    @Test("a value is behind = or the next argument")
    func takesValues() throws {
        var reader = ArgumentReader(["next"])
        #expect(try reader.value(of: "--output", "a=b") == "a=b")
        #expect(try reader.value(of: "--output", nil) == "next")
        #expect(throws: UsageError("--output needs a value")) { try reader.value(of: "--output", nil) }
    }
}
