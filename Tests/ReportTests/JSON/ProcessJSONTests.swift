import AuthScanWire
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
}
