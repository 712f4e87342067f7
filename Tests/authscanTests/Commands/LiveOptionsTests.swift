import Foundation
import TestSupport
import Testing

@testable import authscan

@Suite struct LiveOptionsTests {
    private func run(_ arguments: [String]) -> (status: authscan.ExitStatus, console: RecordingConsole) {
        var console = RecordingConsole()
        return (Main.run(arguments, &console), console)
    }

    @Test(
        "what does not go together is refused",
        arguments: [
            ["--interface", "lo", "a.pcap"], ["--duration", "1", "a.pcap"], ["--write", "x", "a.pcap"],
            ["--interface", "lo", "--duration", "0"], ["--interface", "lo", "--duration", "-1"],
            ["--interface", "lo", "--duration", "soon"], ["--interface", "lo", "--duration", "nan"],
            ["--interface", "lo", "--duration", "inf"], ["--interface", "lo", "--write", "-"],
            ["--interface", "lo", "--keylog", "/dev/null"], ["--interface"],
            ["--interface", "lo", "--write", "x.pcap", "--output", "x.pcap"],
            ["--interface", "lo", "--filter", "tcp port"],
        ]
    )
    func refuses(arguments: [String]) {
        let (status, console) = run(arguments)
        #expect(status == .usage)
        #expect(console.output.isEmpty && !console.complaints.isEmpty)
    }

    @Test("an interface that cannot be captured on is an input that cannot be read, and it is said why")
    func saysWhyItCannotCapture() {
        let (status, console) = run(["--interface", "no-such-if", "--duration", "0.1"])
        #expect(status == .unreadableInput)
        let reasons = ["no such network interface", "no permission to capture on this interface"]
        #expect(reasons.contains { console.complaints.contains("no-such-if: \($0)") }, "\(console.complaints)")
    }

    @Test("a capture of nothing is a report on nothing, where one may capture")
    func reportsOnTheInterface() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "authscan-\(UUID().uuidString).pcap").path()
        let arguments = ["--interface", "lo", "--duration", "0.2", "--filter", "tcp port 9", "--write", path]
        let (status, console) = run(arguments)
        guard status != .unreadableInput else {
            // A test is no reason to give a user privileges; on other systems the interface has another name.
            let reasons = ["no permission to capture", "no such network interface"]
            #expect(reasons.contains { console.complaints.contains($0) }, "\(console.complaints)")
            return
        }
        #expect(status == .success)
        #expect(console.output.contains("0 packets, 24 bytes"))
        #expect(FileManager.default.contents(atPath: path)?.count == 24)
        #expect(run([path]).status == .success)
    }
}
