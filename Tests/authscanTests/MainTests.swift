import Foundation
import TestSupport
import Testing

@testable import authscan

/// Keeps what a command prints.
struct RecordingConsole: Console {
    var isErrorTerminal = false
    var isColourTerminal = false
    var input = ""
    var output = ""
    var complaints = ""

    mutating func print(_ bytes: [UInt8]) -> Bool {
        output += String(decoding: bytes, as: UTF8.self)
        return true
    }
    mutating func complain(_ message: String) { complaints += message + "\n" }
    mutating func readInput() -> String { input }
    mutating func write(_ bytes: [UInt8], toFile path: String) -> Bool {
        FileManager.default.createFile(atPath: path, contents: Data(bytes))
    }
    func canRead(_ path: String) -> Bool { FileManager.default.isReadableFile(atPath: path) }
    func isSameFile(_ path: String, _ other: String) -> Bool {
        URL(filePath: path).standardized == URL(filePath: other).standardized
    }
}

@Suite struct MainTests {
    private typealias Run = (status: authscan.ExitStatus, console: RecordingConsole)

    private func run(_ arguments: String..., input: String = "") -> Run {
        var console = RecordingConsole(input: input)
        let status = Main.run(arguments, &console)
        return (status, console)
    }

    private func capture(_ transcript: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString).pcap").path()
        let bytes = try Transcript(transcript).capture().bytes
        try Data(bytes).write(to: URL(filePath: path))
        return path
    }

    private static let broken = "connection 1\n> GET /a\n< 401\nclosed by client"
    private static let working =
        "connection 1\n> GET /a\n  Authorization: Digest username=\"alice\", realm=\"a\"\n< 200"

    @Test("the exit status says whether a finding reaches --fail-on")
    func setsExitStatus() throws {
        #expect(run(try capture(Self.broken)).status == .findings)
        #expect(run("--fail-on", "never", try capture(Self.broken)).status == .success)
        #expect(run("--fail-on=note", try capture(Self.working)).status == .success)
    }

    @Test("the report starts with the headline of the chain")
    func printsHeadline() throws {
        let (_, console) = run(try capture(Self.broken))
        #expect(console.output.hasPrefix("http://intranet.example: BROKEN at challenge: "))
        #expect(run("--quiet", try capture(Self.broken)).console.output.isEmpty)
    }

    @Test(
        "a wrong word is answered with the nearest known one",
        arguments: [
            (["--formt", "json", "x"], "--format"), (["--format", "jsn", "x"], "json"),
            (["explain", "http-401-no-chalenge"], "http-401-no-challenge"), (["--fail-on", "eror", "x"], "error"),
        ]
    )
    func suggests(arguments: [String], word: String) {
        var console = RecordingConsole()
        #expect(Main.run(arguments, &console) == .usage)
        #expect(console.complaints.contains("did you mean \(word)?"), "\(console.complaints)")
    }

    @Test func refusesWhatCannotBeRead() {
        let (status, console) = run("/no/such/file.pcap")
        #expect(status == .unreadableInput)
        #expect(console.complaints == "/no/such/file.pcap: no such file\n")
        #expect(run().status == .usage)
        #expect(run("--format", "json").status == .usage)
    }

    @Test("one unreadable file among others is named, and the rest is analysed")
    func goesOnWithoutAFile() throws {
        let (status, console) = run("/no/such/file.pcap", try capture(Self.working))
        #expect(status == .success)
        #expect(console.complaints.contains("no such file"))
        #expect(console.output.contains("WORKING"))
    }

    @Test func explainsEveryRuleThatItLists() throws {
        let rules = run("rules").console.output.split(separator: "\n")
        #expect(rules.count == 27)
        for line in rules {
            let id = String(line.prefix { $0 != " " })
            let page = run("explain", id).console.output
            #expect(page.hasPrefix(id))
            #expect(page.contains("How to fix") && page.contains("Sources"))
        }
    }

    @Test func decodesFieldsAndTokens() {
        let header = run("decode", "WWW-Authenticate: Basic realm=\"a\"").console.output
        #expect(header.contains("realm = a"))
        let bare = run("decode", "TlRMTVNTUAABAAAAB4IIogAAAAAAAAAAAAAAAAAAAAAKAGFKAAAADw==").console.output
        #expect(bare.contains("NEGOTIATE_MESSAGE"))
        #expect(run("decode", input: "Authorization: Basic YWxpY2U6c2VjcmV0\n").console.output.contains("alice"))
        #expect(run("decode", input: "").status == .unreadableInput)
    }

    @Test func statesItsVersionAndHelp() {
        #expect(run("--version").console.output.hasPrefix("authscan 0."))
        let help = run("--help").console.output
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
