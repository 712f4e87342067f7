import AuthScanDiagnosis
import AuthScanSessions
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct KDCTextTests {
    private func text(isVerbose: Bool = false) throws -> String {
        let capture = try readCapture(try Transcript(KDCExchangeJSONTests.transcript).capture().bytes)
        let sessions = SessionBuilder.build(from: capture)
        let diagnosis = Diagnosis.diagnose(sessions, of: capture)
        let report = Report(capture: capture, sessions: sessions, diagnosis: diagnosis)
        return TextReport(isColoured: false, isVerbose: isVerbose).render(report)
    }

    @Test("the inventory counts tickets and names the codes")
    func summarises() throws {
        let text = try text()
        #expect(text.contains("3 exchanges with the KDC of CORP.EXAMPLE: 1 ticket,"))
        #expect(text.contains("KDC_ERR_PREAUTH_FAILED (24)") && !text.contains("space     kerberos"))
    }

    @Test("a refusal is shown with its question")
    func showsEvidence() throws {
        let text = try text()
        #expect(text.contains("✗ packet 2  ← KDC: KRB-ERROR KDC_ERR_PREAUTH_FAILED (24)"))
        #expect(text.contains("packet 1  → KDC: AS-REQ of alice for krbtgt/CORP.EXAMPLE"))
        #expect(text.contains("kerberos://corp.example:88 \"CORP.EXAMPLE\": BROKEN at answer"))
    }

    @Test("a verbose report has every field, and no ticket")
    func showsFields() throws {
        let text = try text(isVerbose: true)
        #expect(text.contains("192.0.2.10:52001 with 198.51.100.88:88") && text.contains("packet 4  <  AS-REP"))
        #expect(text.contains("packet 5  >  unreadable") && text.contains("‹redacted, 300 bytes›"))
    }

    @Test("encrypted connections keep their chains beside a refusal")
    func keepsEncrypted() throws {
        let transcript = """
            kdc > AS-REQ client=alice
            kdc < KRB-ERROR code=24
            connection 1 to 198.51.100.20:443
            > raw 16030100050100000100
            """
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let sessions = SessionBuilder.build(from: capture)
        let diagnosis = Diagnosis.diagnose(sessions, of: capture)
        let report = Report(capture: capture, sessions: sessions, diagnosis: diagnosis)
        #expect(report.chains.map(\.number) == [1, 2] && report.chains.map(\.verdict) == [.broken, .cannotTell])
        #expect(report.spaces.map(\.number) == [1, 2] && report.chains.map(\.space.number) == [1, 2])
    }
}
