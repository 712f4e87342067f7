import Foundation
import TestSupport
import Testing

@testable import authscan

/// `--filter`, `--time` and `--host` on samples.
@Suite struct SelectionOptionsTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(
        path: "../../../samples"
    )
    .standardized

    private func run(_ arguments: String..., sample: String) -> (status: authscan.ExitStatus, console: RecordingConsole)
    {
        var console = RecordingConsole()
        let status = Main.run(arguments + [Self.samples.appending(path: sample).path()], &console)
        return (status, console)
    }

    private func capture(_ json: String) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        return try #require(value?["capture"] as? [String: Any])
    }

    @Test("a filter that everything passes changes nothing but the inventory")
    func passesEverything() {
        let plain = run(sample: "ntlm-handshake-split.pcap").console.output.split(separator: "\n")
        let filtered = run("--filter", "tcp port 80", sample: "ntlm-handshake-split.pcap")
        #expect(filtered.status == .findings)
        let lines = filtered.console.output.split(separator: "\n")
        #expect(
            lines.filter { !plain.contains($0) } == ["  analysed  14 packets, those that pass the filter tcp port 80"]
        )
    }

    @Test("packets that a filter drops keep their numbers, and the report is about the others")
    func filters() throws {
        let (status, console) = run(
            "--filter",
            "host 127.0.0.1 and not tcp",
            "--format",
            "json",
            sample: "ntlm-handshake-split.pcap"
        )
        #expect(status == .success)
        let capture = try capture(console.output)
        #expect(capture["packets"] as? Int == 14)
        let selection = capture["selection"] as? [String: Any]
        #expect(selection?["packets"] as? Int == 0)
        #expect(selection?["filter"] as? String == "host 127.0.0.1 and not tcp")
        #expect(console.complaints.contains("the filter lets none of the 14 packets pass"))
        let plain = run("--format", "json", sample: "ntlm-handshake-split.pcap").console.output
        #expect(try self.capture(plain)["selection"] is NSNull)
    }

    @Test("a filter is compiled for each interface's own link type")
    func filtersEachLinkType() {
        let (_, console) = run("--filter", "host 10.8.0.2", sample: "ethernet-and-tunnel.pcapng")
        #expect(!console.complaints.contains("the filter lets no packet of"))
        let (_, frames) = run("--filter", "ether[0] >= 0", sample: "ethernet-and-tunnel.pcapng")
        #expect(frames.output.contains("analysed"))
    }

    @Test("an expression that is none is a mistake of the command line, in libpcap's words")
    func refusesFilters() {
        let (status, console) = run("--filter", "tcp port", sample: "ntlm-handshake-split.pcap")
        #expect(status == .usage)
        #expect(console.complaints.hasPrefix("authscan: --filter 'tcp port': "))
        #expect(console.complaints.contains("syntax error"))
        #expect(console.output.isEmpty)
    }

    @Test("a range of time by the clock, and by seconds from the start, is the same packets")
    func limitsTime() throws {
        let texts = [
            "+0.05..+0.07", "09:00:00.05..09:00:00.07", "2026-01-05T09:00:00.05Z..2026-01-05T10:00:00.07+01:00",
        ]
        let outputs = try texts.map { text in
            let output = run("--time", text, "--format=json", sample: "ntlm-handshake-split.pcap").console.output
            let capture = try capture(output)
            #expect((capture["selection"] as? [String: Any])?["time"] as? String == text)
            #expect((capture["selection"] as? [String: Any])?["packets"] as? Int == 3)
            #expect(capture["firstTime"] as? String == "2026-01-05T09:00:00.050000000Z")
            #expect(capture["lastTime"] as? String == "2026-01-05T09:00:00.070000000Z")
            return output.replacing(text, with: "")
        }
        #expect(outputs[0] == outputs[1] && outputs[0] == outputs[2])
    }

    @Test("a text that is no range is refused with examples", arguments: ["10..20", "+1", "..", "x..y"])
    func refusesTimes(text: String) {
        let (status, console) = run("--time", text, sample: "ntlm-handshake-split.pcap")
        #expect(status == .usage)
        #expect(console.complaints.contains("+10..+25"), "\(console.complaints)")
    }

    @Test(
        "a host is found by name, with port, as a URL, and by address",
        arguments: [
            "intranet.example", "INTRANET.example.", "intranet.example:80", "http://intranet.example/app",
            "198.51.100.20",
        ]
    )
    func limitsToAHost(host: String) throws {
        let (status, console) = run("--host", host, sample: "ntlm-handshake-split.pcap")
        #expect(status == .findings, "\(host)")
        #expect(console.output.hasPrefix("http://intranet.example: BROKEN"))
    }

    @Test("of a host that is not there, the report says which there are")
    func namesOtherHosts() throws {
        let (status, console) = run("--host", "intranet.example:8080", sample: "ntlm-handshake-split.pcap")
        #expect(status == .success)
        #expect(
            console.output.hasPrefix(
                "No HTTP authentication was found for host intranet.example:8080. There is some"
            )
        )
    }
}
