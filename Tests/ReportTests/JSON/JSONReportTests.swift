import AuthScanWire
import Foundation
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct JSONReportTests {
    private func object(_ transcript: String) throws -> [String: Any] {
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let report = Report(
            capture: capture,
            sessions: try sessions(of: transcript),
            diagnosis: try diagnosis(of: transcript)
        )
        let json = JSONReport(secrets: .redact).render(report)
        return try #require(try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    private func first(_ value: Any?, _ path: String...) -> Any? {
        path.reduce(value) { value, step in
            Int(step).flatMap { (value as? [Any])?[$0] } ?? (value as? [String: Any])?[step]
        }
    }

    private static let negotiate = """
        connection 1
        > GET /a
          Authorization: Negotiate {SPNEGO init mech=NTLM token={NEGOTIATE_MESSAGE}}
        < 401
          WWW-Authenticate: Negotiate {SPNEGO resp state=accept-incomplete token={CHALLENGE_MESSAGE computer=WEB03}}
        > GET /a
          Authorization: Negotiate {SPNEGO resp token={AUTHENTICATE_MESSAGE user=alice domain=CORP}}
        < 200
        closed by client
        """

    @Test("the verdict on channel bindings stands with its exchange, and is null in clear")
    func judgesChannelBindings() throws {
        let clear = try object(Self.negotiate)
        #expect(first(clear, "exchanges", "0", "channelBinding") is NSNull)
        let tls = Self.negotiate.replacing("connection 1", with: "connection 1 to 198.51.100.20:443 over tls")
        #expect(first(try object(tls), "exchanges", "0", "channelBinding") as? String == "zero")
        let bound = tls.replacing("domain=CORP", with: "domain=CORP channel-binding=67A42627328CA64F699F9B33F1BDEA4D")
        #expect(first(try object(bound), "exchanges", "0", "channelBinding") as? String == "right")
    }

    @Test("NTLM inside Negotiate stands where NTLM stands under its own scheme")
    func liftsTheInnerMessage() throws {
        let report = try object(Self.negotiate)
        let answer = first(report, "transactions", "1", "request", "authorization", "0")
        #expect(first(answer, "ntlm", "user") as? String == "alice")
        #expect(first(answer, "negotiate", "token") as? String == "NegTokenResp")
        #expect(first(answer, "kerberos") is NSNull)
        let challenge = first(report, "transactions", "0", "response", "challenges", "0", "ntlm")
        #expect((first(challenge, "serverChallenge") as? String)?.count == 16)
        #expect(first(challenge, "user") is NSNull)
        #expect(first(report, "exchanges", "0", "outcome") as? String == "accepted")
        #expect(first(report, "chains", "0", "verdict") as? String == "working")
    }

    @Test("every message of NTLM has the same members, so that a script need not ask which are there")
    func leavesNothingOut() throws {
        let report = try object(Self.negotiate)
        let messages = [
            first(report, "transactions", "0", "request", "authorization", "0", "ntlm"),
            first(report, "transactions", "0", "response", "challenges", "0", "ntlm"),
            first(report, "transactions", "1", "request", "authorization", "0", "ntlm"),
        ].compactMap { ($0 as? [String: Any]).map { Set($0.keys) } }
        #expect(messages.count == 3)
        #expect(Set(messages).count == 1)
    }

    @Test("an encrypted capture has a chain with a protection space, and says why it tells no more")
    func describesEncryptedConnections() throws {
        let hello = "16030100050100000100"
        let report = try object("connection 1 to 198.51.100.20:443\n> raw \(hello)\n< raw \(hello)")
        #expect(first(report, "chains", "0", "verdict") as? String == "cannotTell")
        #expect(first(report, "chains", "0", "space") as? Int == 1)
        #expect(first(report, "protectionSpaces", "0", "origin") as? String == "https://198.51.100.20:443")
        #expect(first(report, "notAssessed", "0", "rule") as? String == "*")
        #expect(first(report, "capture", "encryptedConnections") as? Int == 1)
        #expect(first(report, "connections", "0", "tls", "decrypted") as? Bool == false)
    }
}
