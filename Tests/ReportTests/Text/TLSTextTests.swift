import AuthScanDiagnosis
import AuthScanSessions
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct TLSTextTests {
    @Test("a finding about a handshake shows its messages, and marks the decisive one")
    func showsMessages() throws {
        let transcript = """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            > raw 15030300020230
            closed by client
            """
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let sessions = SessionBuilder.build(from: capture)
        let report = Report(
            capture: capture,
            sessions: sessions,
            diagnosis: Diagnosis.diagnose(sessions, of: capture)
        )
        let text = TextReport(isColoured: false).render(report)
        #expect(text.contains("packet 4  → TLS ClientHello\n"))
        #expect(text.contains("packet 5  ← TLS ServerHello, TLS 1.2\n"))
        #expect(text.contains("✗ packet 6  → TLS alert unknown_ca (48)\n"))
    }
}
