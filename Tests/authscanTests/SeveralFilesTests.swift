import Foundation
import TestSupport
import Testing

@testable import authscan

/// Reports on two files, of which the second begins when the first ends.
@Suite struct SeveralFilesTests {
    private let paths: [String]

    init() throws {
        let transcript = "connection 1\n> GET /a\n< 401\nclosed by client"
        let whole = try Transcript(transcript).capture().bytes
        // The second record ends the first file.
        var end = 24
        for _ in 0..<2 { end += 16 + whole[(end + 8)..<(end + 12)].reversed().reduce(0) { $0 << 8 | Int($1) } }
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        paths = [folder.appending(path: "first.pcap").path(), folder.appending(path: "second.pcap").path()]
        try Data(whole[..<end]).write(to: URL(filePath: paths[0]))
        try Data(whole[..<24] + whole[end...]).write(to: URL(filePath: paths[1]))
    }

    private func run(_ arguments: [String]) -> String {
        var console = RecordingConsole()
        _ = Main.run(arguments, &console)
        return console.output
    }

    @Test("JSON names the file and the packet in it, and null for a single file")
    func namesPlacesInJSON() throws {
        let text = run(["--format", "json"] + paths)
        let value = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        let finding = try #require((value["findings"] as? [[String: Any]])?.first)
        let packets = try #require(finding["packets"] as? [Int])
        let places = try #require(finding["places"] as? [[String: Any]])
        #expect(places.compactMap { $0["packet"] as? Int } == packets)
        #expect(places.allSatisfy { $0["file"] as? String == paths[1] })
        #expect(places.compactMap { $0["filePacket"] as? Int } == packets.map { $0 - 2 })
        let request = ((value["transactions"] as? [[String: Any]])?.first?["request"]) as? [String: Any]
        #expect(request?["file"] as? String == paths[1])
        #expect(request?["filePacket"] as? Int == (request?["packet"] as? Int).map { $0 - 2 })
        let single = run(["--format", "json", paths[1]])
        #expect(single.contains(#""file":null,"filePacket":null"#) && single.contains(#""places":null"#))
    }

    @Test("text names them beside the packets, and has a filter for each file")
    func namesPlacesInText() {
        let text = run(paths)
        #expect(text.contains("(second.pcap "))
        #expect(text.split(whereSeparator: \.isWhitespace).contains("\(paths[1]):"))
        #expect(!run([paths[1]]).contains("(second.pcap "))
    }
}
