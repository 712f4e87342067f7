import AuthScanDiagnosis
import AuthScanSessions
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct TLSTextTests {
    private static func inventory(_ capture: WireCapture) -> String {
        let sessions = SessionBuilder.build(from: capture)
        let diagnosis = Diagnosis.diagnose(sessions, of: capture)
        let report = Report(capture: capture, sessions: sessions, diagnosis: diagnosis)
        return TextReport(isColoured: false).render(report)
    }

    @Test("QUIC is named as present and not readable")
    func namesQUIC() throws {
        var capture = CaptureBuilder()
        let payload = bytes(hex: "c300000001088394c8f03e5157080000449e") + [UInt8](repeating: 0, count: 1182)
        let client = HostEndpoint(HostAddress(192, 0, 2, 10), port: 50101)
        let server = HostEndpoint(HostAddress(198, 51, 100, 20), port: 443)
        capture.add(FrameBuilder().udp(from: client, to: server, payload: payload), at: 0)
        let text = Self.inventory(try readCapture(capture.bytes))
        #expect(text.contains("QUIC      1 connection, not readable: 1 QUIC version 1, to 198.51.100.20:443\n"))
    }

    @Test("servers that App Transport Security would refuse are named, with the keys that would lift it")
    func namesRequirements() throws {
        let old = """
            connection 1 to 198.51.100.20:443
            > raw 160301002d0100002903010000000000000000000000000000000000000000000000000000000000000000000002002f0100
            < raw 160301002a020000260301000000000000000000000000000000000000000000000000000000000000000000002f00
            closed by client
            """
        let words = Self.inventory(try readCapture(try Transcript(old).capture().bytes))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains(
                "ATS https://198.51.100.20:443 lacks TLS 1.2 or newer, forward secrecy (NSExceptionMinimumTLSVersion, "
                    + "NSExceptionRequiresForwardSecrecy in Info.plist would lift it; better mend the server)"
            )
        )
    }

    @Test("cleartext is named where an app of Apple's systems asks", arguments: [true, false])
    func namesCleartext(isApple: Bool) throws {
        let agent = isApple ? "Nordwind/482 CFNetwork/1568.200.51 Darwin/24.1.0" : "curl/8.6.0"
        let transcript = """
            connection 1
            > GET /
              User-Agent: \(agent)
              Authorization: Basic {basic alice:secret}
            < 200
            """
        let words = Self.inventory(try readCapture(try Transcript(transcript).capture().bytes))
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("lacks TLS instead of cleartext (NSExceptionAllowsInsecureHTTPLoads") == isApple)
    }

    @Test("an encrypted ClientHello is named, with what it may be besides")
    func namesEncryptedHello() throws {
        let transcript = """
            connection 1 to 198.51.100.20:443
            > raw 16030100350100003103030000000000000000000000000000000000000000000000000000000000000000000002c02f01000006fe0d00020000
            < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
            closed by client
            """
        let text = Self.inventory(try readCapture(try Transcript(transcript).capture().bytes))
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(
            words.contains("1 with encrypted_client_hello (not readable, and perhaps without meaning: GREASE)")
        )
    }

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
