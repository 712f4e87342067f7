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

    @Test("a reader that has seen enough is no error")
    func endsQuietlyWithItsReader() throws {
        let (_, output, errors) = try run([], shell: "\"$0\" rules --format json | head -c 1")
        #expect(output == "[")
        #expect(errors.isEmpty)
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
