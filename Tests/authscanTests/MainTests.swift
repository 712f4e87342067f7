import AuthScanReport
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
    mutating func keep(_ report: Report) {}
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

    @Test("a bare token is recognised by its first bytes")
    func recognisesBareTokens() {
        #expect(run("decode", "oRUwE6ADCgEC").console.output.contains("negState: reject"))
        #expect(run("decode", "YWxpY2U6c2VjcmV0").console.output.contains("user: alice"))
        #expect(!run("decode", "YWxpY2U6c2VjcmV0").console.output.contains("secret"))
        #expect(run("decode", "--show-secrets", "YWxpY2U6c2VjcmV0").console.output.contains("secret"))
    }

    @Test("decode writes JSON as well")
    func decodesAsJSON() throws {
        let output = run("decode", "--format", "json", "Authorization: Basic YWxpY2U6c2VjcmV0").console.output
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        #expect(value?["kind"] as? String == "basic")
        #expect((value?["basic"] as? [String: Any])?["user"] as? String == "alice")
    }

    @Test("--host leaves the chains of other hosts out, and their findings with them")
    func limitsToAHost() throws {
        let path = try capture(Self.broken + "\nconnection 2\n> GET /b\n  Host: other.example\n< 401\nclosed by client")
        let (status, console) = run("--host", "OTHER.example", path)
        #expect(status == .findings)
        #expect(console.output.hasPrefix("http://other.example: BROKEN"))
        #expect(!console.output.contains("http://intranet.example: "))
        let (nothing, silent) = run("--host=nowhere.example", path)
        #expect(nothing == .success)
        #expect(silent.output.hasPrefix("No HTTP authentication was found for host nowhere.example."))
    }

    @Test("a word that is neither command nor file is answered with both possibilities")
    func namesBothPossibilities() {
        let (status, console) = run("expalin", "http-401-no-challenge")
        #expect(status == .usage)
        #expect(console.complaints.contains("did you mean explain?"))
        #expect(console.complaints.contains("no such file"))
        let (missing, other) = run("compare", "a.pcap")
        #expect(missing == .unreadableInput)
        #expect(other.complaints.contains("no such file, and no such command"))
    }

    @Test(
        "what is not in this version is refused, not half done",
        arguments: [
            ["--filter", "tcp", "x"], ["--password-file", "x", "x"], ["--nt-hash-file", "x", "x"],
            ["--lang", "en", "x"],
            ["--format", "html", "x"], ["--format=ndjson", "x"], ["explain"], ["explain", "a", "b"], ["rules", "x"],
            ["--quiet=yes", "x"], ["--output"],
        ]
    )
    func refuses(arguments: [String]) {
        var console = RecordingConsole()
        #expect(Main.run(arguments, &console) == .usage)
        #expect(!console.complaints.isEmpty)
        #expect(console.output.isEmpty)
    }

    @Test("the report never takes the place of a capture, and a key log must be there")
    func guardsFiles() throws {
        let path = try capture(Self.working)
        #expect(run("--output", path, path).status == .usage)
        #expect(run("--keylog", "/no/such/keys", path).status == .unreadableInput)
        let (status, console) = run("--keylog", path, "--format", "json", path)
        #expect(status == .success)
        #expect(console.output.contains("unusableKeyLog"))
        #expect(console.complaints.contains("NSS key log format"))
    }

    @Test("files are put in the order of their first packets")
    func ordersFilesByTime() throws {
        let whole = try Transcript(Self.broken).capture().bytes
        let first = try capture(Self.broken)
        // The seconds of the first record's time stamp, least significant byte first.
        var laterBytes = whole
        laterBytes[24] = 0
        laterBytes[25] = 0
        var isEarlier = false
        for index in 24..<28 where whole[index] != laterBytes[index] { isEarlier = true }
        #expect(isEarlier)
        let earlier = first + ".earlier.pcap"
        try Data(laterBytes).write(to: URL(filePath: earlier))
        let output = run("--format", "json", first, earlier).console.output
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        let files = (value?["capture"] as? [String: Any])?["files"] as? [[String: Any]]
        #expect(files?.compactMap { $0["path"] as? String } == [earlier, first])
    }

    @Test func helpsWithEachCommand() {
        for command in Help.commands {
            let help = run(command, "--help").console.output
            #expect(help.hasPrefix("usage: authscan \(command)"))
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
        }
    }

    @Test func statesItsVersionAndHelp() {
        #expect(run("--version").console.output.hasPrefix("authscan 0."))
        let help = run("--help").console.output
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
