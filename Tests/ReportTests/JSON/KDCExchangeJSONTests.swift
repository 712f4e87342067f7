import AuthScanDiagnosis
import AuthScanSessions
import Foundation
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct KDCExchangeJSONTests {
    private func report(_ transcript: String) throws -> Report {
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let sessions = SessionBuilder.build(from: capture)
        return Report(
            capture: capture,
            sessions: sessions,
            diagnosis: Diagnosis.diagnose(sessions, of: capture)
        )
    }

    static let transcript = """
        kdc > AS-REQ client=alice etypes=18,23
        kdc < KRB-ERROR code=24 text=wrong
        kdc > AS-REQ client=bob
        kdc < AS-REP client=bob
        kdc > AS-REQ client=carol cut=40
        """

    @Test("what was asked of a key distribution center is in the report")
    func writes() throws {
        let bytes = JSONReport(secrets: .redact).render(try report(Self.transcript))
        let json = try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
        let exchanges = try #require(json["kdcExchanges"] as? [[String: Any]])
        #expect(exchanges.count == 3)
        #expect(exchanges[0]["clientPrincipal"] as? String == "alice@CORP.EXAMPLE")
        #expect(exchanges[0]["service"] as? String == "krbtgt/CORP.EXAMPLE")
        #expect(exchanges[0]["etypes"] as? [String] == ["aes256-cts-hmac-sha1-96", "rc4-hmac"])
        #expect(exchanges[0]["errorCode"] as? Int == 24 && exchanges[0]["connection"] is NSNull)
        #expect(
            exchanges[1]["ticketEtype"] as? String == "aes256-cts-hmac-sha1-96" && exchanges[1]["errorCode"] is NSNull
        )
        #expect(String(decoding: bytes, as: UTF8.self).contains(#""cipher":"‹redacted, 300 bytes›""#))
        let request = try #require(exchanges[2]["request"] as? [String: Any])
        #expect(request["message"] is NSNull && request["problem"] is String && exchanges[2]["response"] is NSNull)
    }
}
