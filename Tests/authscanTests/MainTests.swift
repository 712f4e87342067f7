import AuthScanDiagnosis
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

    mutating func print(pieces render: (_ write: ([UInt8]) -> Bool) -> Void) -> Bool {
        output += String(decoding: RecordingConsole.bytes(render), as: UTF8.self)
        return true
    }
    mutating func printError(_ text: String) { complaints += text }
    mutating func readInput() -> String { input }
    mutating func write(toFile path: String, pieces render: (_ write: ([UInt8]) -> Bool) -> Void) -> Bool {
        FileManager.default.createFile(atPath: path, contents: Data(RecordingConsole.bytes(render)))
    }
    private static func bytes(_ render: (_ write: ([UInt8]) -> Bool) -> Void) -> [UInt8] {
        var all: [UInt8] = []
        render {
            all += $0
            return true
        }
        return all
    }
    func read(file path: String) -> [UInt8]? { FileManager.default.contents(atPath: path).map { [UInt8]($0) } }
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
        #expect(console.complaints == "authscan: /no/such/file.pcap: no such file\n")
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
        #expect(rules.count == allRules.count)
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

    @Test("the tokens and fields that the help shows as examples are whole")
    func showsWholeExamples() {
        let lines = (run("--help").console.output + run("decode", "--help").console.output).split(separator: "\n")
            .map { $0.drop { $0 == " " } }
        let examples = lines.filter { $0.hasPrefix("authscan decode ") && !$0.contains("[") }
            .map { $0.dropFirst("authscan decode ".count).filter { $0 != "'" } }
        #expect(examples.count == 3)
        for example in examples {
            let text = run("decode", example).console.output
            #expect(!text.contains("problem") && !text.contains("remark"), "\(text)")
        }
    }

    @Test("a bare token is recognised by its first bytes")
    func recognisesBareTokens() {
        #expect(run("decode", "oRUwE6ADCgEC").console.output.contains("negState: reject"))
        #expect(run("decode", "YWxpY2U6c2VjcmV0").console.output.contains("user: alice"))
        #expect(!run("decode", "YWxpY2U6c2VjcmV0").console.output.contains("secret"))
        #expect(run("decode", "--show-secrets", "YWxpY2U6c2VjcmV0").console.output.contains("secret"))
    }

    @Test("decode reads what a terminal showed, and holds the messages of a handshake against each other")
    func decodesConversations() throws {
        let negotiate = "TlRMTVNTUAABAAAAB4IIogAAAAAAAAAAAAAAAAAAAAAKAGFKAAAADw=="
        let challenge =
            "TlRMTVNTUAACAAAABAAEADgAAAAGgokCjSgWdUjowP4AAAAAAAAAAIoAigA8AAAACgB8TwAAAA9DT1JQAgAIAEMATwBSAFAAAQAKAEkASQBTADAA"
            + "MQAEABgAYwBvAHIAcAAuAGUAeABhAG0AcABsAGUAAwAkAGkAaQBzADAAMQAuAGMAbwByAHAALgBlAHgAYQBtAHAAbABlAAUAGABjAG8AcgBwAC4A"
            + "ZQB4AGEAbQBwAGwAZQAHAAgAJAhJvnGA3QEAAAAA"
        let terminal = """
            * Trying 192.0.2.1:80
            > GET /a HTTP/1.1
            > Authorization: NTLM \(negotiate)
            < HTTP/1.1 401 Unauthorized
            < WWW-Authenticate: NTLM \(challenge)
            """
        let text = run("decode", "-", input: terminal).console.output
        #expect(text.hasPrefix("> GET /a\n\n> Authorization (line 3)\n  scheme: NTLM\n"))
        #expect(
            text.contains("NTLM handshake 1\n") && text.contains("- asked for and not granted: NTLMSSP_NEGOTIATE_56")
        )
        let json = run("decode", "--format", "json", input: terminal).console.output
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        #expect((value?["items"] as? [Any])?.count == 4 && (value?["handshakes"] as? [Any])?.count == 1)
    }

    private func file(_ text: String) throws -> String {
        let path = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString).txt").path()
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    @Test("passwords are read from a file, held against the proofs, and never shown")
    func verifiesPasswords() throws {
        let path = try capture("connection 1\n> GET /a\n  Authorization: Basic {basic alice:s3cret}\n< 401")
        let right = run("--password-file", try file("s3cret\n"), path)
        #expect(right.console.output.contains("the password is right, and was refused all the same"))
        #expect(!right.console.output.contains("s3cret") && right.console.complaints.isEmpty)
        let wrong = run("--password-file=" + (try file("alice\tother\n")), "--format", "json", path)
        #expect(wrong.console.output.contains(#""conclusion":"none of the given secrets is right""#))
        #expect(!run(path).console.output.contains("Given secrets"))
    }

    @Test("decode holds credentials against a password, Digest's with the request that was pasted before them")
    func verifiesPasted() throws {
        let field =
            "Authorization: Digest username=\"Mufasa\", realm=\"testrealm@host.com\", uri=\"/dir/index.html\", "
            + "nonce=\"dcd98b7102dd2f0e8b11d0f600bfb0c093\", response=\"670fd8c2df070c60b045671b8b24ff02\""
        let passwords = try file("Circle Of Life\n")
        let alone = run("decode", "--password-file", passwords, field).console.output
        #expect(alone.hasSuffix("Digest response: right\n"))
        let pasted = "> HEAD /dir/index.html HTTP/1.1\n> " + field
        let text = run("decode", "--password-file", passwords, input: pasted).console.output
        #expect(text.contains("right, but for: the method GET instead of HEAD"))
        let basic = run("decode", "--password-file", passwords, "Basic YTpi").console.output
        #expect(basic.hasSuffix("Basic password: wrong\n"))
    }

    @Test("a file of secrets that cannot be used ends the run, and is not quoted")
    func refusesSecretFiles() throws {
        let path = try capture(Self.broken)
        #expect(run("--password-file", "/nonexistent/x", path).status == .unreadableInput)
        let hashes = run("--nt-hash-file", try file("s3cret\n"), path)
        #expect(hashes.status == .unreadableInput && hashes.console.complaints.contains("line 1"))
        #expect(!hashes.console.complaints.contains("s3cret"))
        #expect(run("--keytab", try file("s3cret\n"), path).status == .unreadableInput)
        #expect(run("--password", "s3cret", path).status == .usage)
        let output = try file("x")
        #expect(run("--password-file", output, "--output", output, path).status == .usage)
    }

    @Test("--verbose shows the decoded messages of each exchange")
    func showsMessages() throws {
        let path = try capture(
            "connection 1\n> GET /a\n  Authorization: NTLM {NEGOTIATE_MESSAGE}\n< 401\n  WWW-Authenticate: NTLM "
                + "{CHALLENGE_MESSAGE}\n> GET /a\n  Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice}\n< 200"
        )
        let quiet = run(path).console.output
        let verbose = run("--verbose", path).console.output
        let places = ["NEGOTIATE_MESSAGE", "CHALLENGE_MESSAGE", "AUTHENTICATE_MESSAGE"].map { name in
            verbose.firstRange(of: "message: \(name)")?.lowerBound
        }
        #expect(!places.contains(nil) && places.compactMap { $0 }.count == 3)
        #expect(places.compactMap { $0 } == places.compactMap { $0 }.sorted())
        #expect(verbose.contains("        user: alice\n".dropFirst(2)) && !quiet.contains("message: NEGOTIATE"))
        #expect(run("--verbose=yes", path).status == .usage)
    }

    @Test("decode writes JSON as well")
    func decodesAsJSON() throws {
        let output = run("decode", "--format", "json", "Authorization: Basic YWxpY2U6c2VjcmV0").console.output
        let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any]
        #expect(value?["schema"] as? String == "authscan/decode/1")
        let item = (value?["items"] as? [[String: Any]])?.first
        let decoded = item?["decoded"] as? [String: Any]
        #expect(item?["field"] as? String == "Authorization" && decoded?["kind"] as? String == "basic")
        #expect((decoded?["basic"] as? [String: Any])?["user"] as? String == "alice")
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
            ["--lang", "en", "x"], ["--format", "html", "x"], ["--format=ndjson", "x"], ["explain"],
            ["explain", "a", "b"], ["rules", "x"],
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
        let missing = run("--keylog", "/no/such/keys", path)
        #expect(missing.status == .unreadableInput)
        #expect(missing.console.complaints.contains("/no/such/keys: the key log cannot be read: no such file"))
        let (status, console) = run("--keylog", path, "--format", "json", path)
        #expect(status == .success)
        #expect(console.output.contains("unusableKeyLog"))
        #expect(console.complaints.contains("NSS key log format"))
    }

    private static let secretLine =
        "CLIENT_RANDOM \(String(repeating: "ab", count: 32)) \(String(repeating: "0c", count: 48))\n"

    /// Key logs, and what is said of each.
    private static let unfitKeyLogs: [(String, String)] = {
        let cut = secretLine + String(secretLine.dropLast(20))
        let long: String = "{\"keys\": \"" + String(repeating: "x", count: 1 << 21) + "\"}"
        return [
            (secretLine, "the key log is of other connections: it has secrets of 1 sessions"),
            (cut, "the key log ends in the middle of a line"),
            ("<html>\n<body>no secrets here</body>\n", "none of its 2 lines is in the NSS key log format"),
            (secretLine + "what is this?\n", "line 2 is not in the NSS key log format"), ("", "it is empty"),
            (long, "none of its 1 lines is in"),
        ]
    }()

    @Test("a key log that does not fit gets a clear word, and the capture its report", arguments: unfitKeyLogs)
    func namesUnfitKeyLogs(log: String, word: String) throws {
        let tls = """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            closed by client
            """
        let keys = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString).keys").path()
        try Data(log.utf8).write(to: URL(filePath: keys))
        defer { try? FileManager.default.removeItem(atPath: keys) }
        let (status, console) = run("--fail-on", "never", "--keylog", keys, try capture(tls))
        #expect(status == .success)
        #expect(console.complaints.contains(word), "\(console.complaints)")
        #expect(console.output.contains("TLS       1 connection"))
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
