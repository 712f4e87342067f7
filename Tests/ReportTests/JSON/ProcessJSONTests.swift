import AuthScanWire
import Foundation
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct ProcessJSONTests {
    private func json(_ information: ProcessInformation?) -> String {
        var writer = JSONWriter()
        writer.object { $0.member("process", information) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test func aProcessIsNameAndID() {
        typealias Process = ProcessInformation.Process
        let web = ProcessInformation(
            process: Process(name: "com.apple.WebKit.Networking", id: 700),
            effective: Process(name: "Intranet", id: nil)
        )
        #expect(
            json(web) == #"{"process":{"name":"com.apple.WebKit.Networking","pid":700,"#
                + #""effective":{"name":"Intranet","pid":null}}}"#
        )
        let own = ProcessInformation(process: Process(name: nil, id: 5), effective: nil)
        #expect(json(own) == #"{"process":{"name":null,"pid":5,"effective":null}}"#)
        #expect(json(nil) == #"{"process":null}"#)
    }

    @Test func aProcessIsNamedAsAPersonWould() {
        typealias Process = ProcessInformation.Process
        let web = ProcessInformation(process: Process(name: "a\u{1B}[2J", id: 7), effective: Process(name: nil, id: 9))
        #expect(!web.name.contains("\u{1B}") && web.name.hasSuffix(" for process 9"))
        #expect(web.nameWithIDs.contains("(7) for process 9"))
    }

    @Test("a chain names the process of its connections, and two processes make two chains")
    func chainsNameTheirProcess() throws {
        let answer = "> GET /a\n< 401\n  WWW-Authenticate: Basic realm=\"a\"\nclosed by client"
        let transcript = "connection 1 by Web/7 for App/5\n\(answer)\nconnection 2 by App/5\n\(answer)"
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let report = Report(
            capture: capture,
            sessions: try sessions(of: transcript),
            diagnosis: try diagnosis(of: transcript)
        )
        let json = JSONReport(secrets: .redact).render(report)
        let value = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any]
        let processes = (value?["chains"] as? [[String: Any]])?.map { $0["process"] as? [String: Any] }
        #expect(processes?.map { $0?["name"] as? String } == ["Web", "App"])
        #expect(processes?.map { ($0?["effective"] as? [String: Any])?["name"] as? String } == ["App", nil])
    }
}
