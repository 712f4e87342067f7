import Foundation
import TestSupport
import Testing

/// Runs the built program: what only a process has, pipes and statuses.
@Suite struct BinaryTests {
    /// The program beside the test bundle.
    private static let program = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "authscan")

    private func run(_ arguments: [String], input: Data = Data(), shell: String? = nil) throws -> (
        Int32, String, String
    ) {
        let binary = try #require(Self.program?.path())
        try #require(FileManager.default.isExecutableFile(atPath: binary))
        let process = Process()
        process.executableURL = URL(filePath: shell == nil ? binary : "/bin/sh")
        process.arguments = shell.map { ["-c", $0, binary] + arguments } ?? arguments
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: input)
        try stdin.fileHandleForWriting.close()
        let output = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errors = String(decoding: stderr.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output, errors)
    }

    @Test("a capture from standard input, and the status of its findings")
    func readsStandardInput() throws {
        let capture = try Transcript("connection 1\n> GET /a\n< 401\nclosed by client").capture().bytes
        let (status, output, errors) = try run(["-"], input: Data(capture))
        #expect(status == 1)
        #expect(output.hasPrefix("http://intranet.example: BROKEN at challenge"))
        #expect(errors.isEmpty)
    }

    @Test("a capture through a pipe, gzip too, by - or by the pipe's own name", arguments: ["-", "/dev/stdin"])
    func readsPipes(path: String) throws {
        let capture = try Transcript("connection 1\n> GET /a\n< 401\nclosed by client").capture().bytes
        for input in [capture, storedGzip(capture)] {
            let (status, output, errors) = try run(
                [path],
                input: Data(input),
                shell: "cat | \"$0\" --format json \"$1\""
            )
            #expect(status == 1)
            #expect(output.contains(#""files":[{"path":"\#(path)","format":"pcap""#))
            #expect(output.contains(#""rule":"http-401-no-challenge""#))
            #expect(errors.isEmpty)
        }
    }

    @Test("standard input that is cut, closed, a text, or missing")
    func readsWhatThereIsOfStandardInput() throws {
        let capture = try Transcript("connection 1\n> GET /a\n< 401\nclosed by client").capture().bytes
        let (status, output, errors) = try run(["-"], input: Data(capture.dropLast(10)))
        #expect(status == 1)
        #expect(output.hasPrefix("http://intranet.example: BROKEN at challenge"))
        #expect(errors.hasPrefix("authscan: -: the file ends in the middle of a record"))
        let (empty, _, complaint) = try run(["-"])
        #expect(empty == 66)
        #expect(complaint == "authscan: -: the file is empty\n")
        let (text, _, other) = try run(["-"], input: Data("no capture, but a text".utf8))
        #expect(text == 66)
        #expect(
            other == "authscan: -: not a capture (pcap, pcapng, snoop, Network Monitor or ERF); it looks like text\n"
        )
        let (closed, _, reason) = try run([], shell: "\"$0\" - <&-")
        #expect(closed == 66)
        #expect(reason == "authscan: -: Bad file descriptor\n")
        #expect(try run(["decode"], input: Data("Authorization: Basic YWxpY2U6Yg==\n".utf8)).1.contains("user: alice"))
    }

    @Test("an argument that would act on the terminal is shown instead")
    func escapesArguments() throws {
        let (status, _, errors) = try run(["a\u{1B}[2J\u{202E}b.pcap"])
        #expect(status == 66)
        #expect(errors == "authscan: a\\u{1B}[2J\\u{202E}b.pcap: no such file\n")
    }

    @Test("progress on a terminal, once the work takes longer than a second; none where it is not wanted")
    func showsProgress() async throws {
        let capture = try Transcript("connection 1\n> GET /a\n< 200\n  body 700000").capture().bytes
        #expect(try await errors(on: Terminal(), of: ["-"], reading: capture).contains("reading standard input: 0 MB"))
        #expect(try await errors(on: Terminal(), of: ["--quiet", "-"], reading: capture).isEmpty)
    }

    /// What the program prints on a terminal as standard error, when its input pauses for more than a second.
    private func errors(on terminal: Terminal, of arguments: [String], reading input: [UInt8]) async throws -> String {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = arguments
        let stdin = Pipe()
        process.standardInput = stdin
        process.standardOutput = FileHandle.nullDevice
        process.standardError = terminal.program
        try process.run()
        let half = input.count / 2
        try stdin.fileHandleForWriting.write(contentsOf: Data(input[..<half]))
        try await Task.sleep(for: .milliseconds(1300))
        try stdin.fileHandleForWriting.write(contentsOf: Data(input[half...]))
        try stdin.fileHandleForWriting.close()
        process.waitUntilExit()
        return terminal.printed
    }

    @Test("Ctrl-C ends a capture, and the report follows")
    func reportsWhenItIsInterrupted() async throws {
        let process = Process()
        process.executableURL = Self.program
        process.arguments = ["--interface", "lo", "--filter", "tcp port 9"]
        let (stdout, stderr) = (Pipe(), Pipe())
        process.standardOutput = stdout
        process.standardError = stderr
        try process.run()
        try await Task.sleep(for: .milliseconds(1500))
        process.interrupt()
        let output = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        let errors = String(decoding: stderr.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        if process.terminationStatus == 66 {
            // A test is no reason to give a user privileges; on other systems the interface has another name.
            let reasons = ["no permission to capture", "no such network interface"]
            #expect(reasons.contains { errors.contains($0) }, "\(errors)")
            return
        }
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
        #expect(output.contains("0 packets, 24 bytes") && errors.isEmpty, "\(errors)")
    }

    @Test("a reader that has seen enough is no error")
    func endsQuietlyWithItsReader() throws {
        let (_, output, errors) = try run([], shell: "\"$0\" rules --format json | head -c 1")
        #expect(output == "[")
        #expect(errors.isEmpty)
    }

    @Test(
        "a report that cannot be written is an error that says why",
        .enabled(if: FileManager.default.fileExists(atPath: "/dev/full")),
        arguments: ["json", "text"]
    )
    func reportsFullDisks(format: String) throws {
        let capture = try Transcript("connection 1\n> GET /a\n< 200").capture().bytes
        for shell in ["\"$0\" --format \"$1\" - > /dev/full", "\"$0\" --format \"$1\" --output /dev/full -"] {
            let (status, output, errors) = try run([format], input: Data(capture), shell: shell)
            #expect(status == 70 && output.isEmpty)
            #expect(errors.hasSuffix(": No space left on device\n"), "\(errors)")
        }
    }

    @Test("statuses of a wrong command line and of unreadable input")
    func setsStatuses() throws {
        #expect(try run(["--no-such-option"]).0 == 64)
        #expect(try run(["-"], input: Data("no capture, but a text".utf8)).0 == 66)
        #expect(try run(["--version"]).1 == "authscan 0.1.0\n")
    }

    @Test("a report in a file is its owner's alone")
    func writesPrivateFiles() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let report = folder.appending(path: "report.json").path()
        _ = FileManager.default.createFile(atPath: report, contents: nil, attributes: [.posixPermissions: 0o644])
        let capture = try Transcript("connection 1\n> GET /a\n< 200").capture().bytes
        #expect(try run(["--format", "json", "--output", report, "-"], input: Data(capture)).0 == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: report)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
}
