import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct LackTests {
    private func report(_ transcript: String) throws -> Report {
        Report(
            capture: try readCapture(try Transcript(transcript).capture().bytes),
            sessions: try sessions(of: transcript),
            diagnosis: try diagnosis(of: transcript)
        )
    }

    @Test("what lacks is counted, and has its line in the inventory")
    func countsWhatLacks() throws {
        let report = try report(
            """
            connection 1
            > GET /a
            < 401
              WWW-Authenticate: Basic realm="a"
            lost <
            < 200
              body 100
            > GET /b
            < 200
            > GET /c
            end wait 20 s
            """
        )
        let lack = report.lack
        #expect(lack.gaps == 1 && lack.missingBytes > 0 && lack.unansweredRequests >= 1 && lack.missingStarts == 0)
        let words = try #require(lack.words)
        #expect(words.hasPrefix("\(lack.missingBytes) bytes in 1 gap, "))
        #expect(
            TextReport(isColoured: false).render(report).contains("  lacking   \(lack.missingBytes) bytes in 1 gap")
        )
    }

    @Test func aWholeCaptureLacksNothing() throws {
        let report = try report("connection 1\n> GET /a\n< 200\nclosed by client")
        #expect(report.lack.words == nil)
        #expect(!TextReport(isColoured: false).render(report).contains("lacking"))
    }
}
