import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanReport

@Suite struct TextReportTests {
    private func render(_ transcript: String, isVerbose: Bool = false) throws -> String {
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let report = Report(
            capture: capture,
            sessions: try sessions(of: transcript),
            diagnosis: try diagnosis(of: transcript)
        )
        return TextReport(isColoured: false, isVerbose: isVerbose).render(report)
    }

    /// Many clients whose 401 has no challenge.
    private func broken(_ count: Int, hosts: Int = 1) -> String {
        (0..<count).map { index in
            """
            connection \(index + 1) from 192.0.2.\(index % 250 + 1)
            > GET /a
              Host: host\(index % hosts).example
            < 401
            closed by client
            """
        }.joined(separator: "\n")
    }

    @Test("a broken chain has its headline, its steps, its messages and its way out")
    func showsABrokenChain() throws {
        let text = try render(broken(1))
        #expect(text.hasPrefix("http://host0.example: BROKEN at challenge: "))
        for part in [
            "✗ challenge", "✗ packet", "← 401", "why ", "fix ", "frame.number in {", "authscan explain http-401",
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(text.split(separator: "\n").allSatisfy { PrintableText.width(String($0)) <= 80 })
    }

    @Test("chains that break alike are shown once")
    func groupsRepeats() throws {
        let text = try render(broken(30))
        #expect(text.ranges(of: "\n    why").count == 1)
        #expect(text.contains("The same in 29 more chains: 2 (192.0.2.2, packet"))
        #expect(text.contains("and 17 more"))
    }

    @Test("headlines and details are limited, and the rest is counted")
    func limitsItsLength() throws {
        let text = try render(broken(60, hosts: 60))
        #expect(text.ranges(of: ": BROKEN at").count == TextReport.headlineLimit)
        #expect(text.contains("… and 10 more chains: 10 broken"))
        #expect(text.ranges(of: "\nchain ").count == TextReport.detailLimit)
        #expect(text.contains("40 more ways of breaking"))
    }

    @Test("a capture without logins says so")
    func saysNothingFound() throws {
        let text = try render("connection 1\n> GET /a\n< 200")
        #expect(text.hasPrefix("No HTTP authentication was found: 1 HTTP transaction, none with a login."))
    }

    @Test("a capture with nothing but TLS has a chain that nothing can be said about")
    func namesEncryptedConnections() throws {
        let hello = "16030100050100000100"
        let text = try render("connection 1 to 198.51.100.20:443\n> raw \(hello)\n< raw \(hello)")
        #expect(text.hasPrefix("https://198.51.100.20: CANNOT TELL: the connection is encrypted"))
        #expect(text.contains("TLS not decrypted (connection 1)"))
    }

    @Test("a verbose report says of each handshake over TLS what its channel binding is, in one line")
    func judgesChannelBindings() throws {
        let transcript = """
            connection 1 to 198.51.100.20:443 over tls
            > GET /a
              Authorization: NTLM {NEGOTIATE_MESSAGE}
            < 401
              WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE channel-binding=BINDING}
            < 200
            """
        let lines = [
            "67A42627328CA64F699F9B33F1BDEA4D": "right, that of the certificate that the server shows",
            "00112233445566778899AABBCCDDEEFF": "that of another certificate than the server shows",
            "zero": "zero, the client states that it has none",
            "no": "absent from the AUTHENTICATE_MESSAGE",
        ]
        for (binding, line) in lines {
            let text = try render(transcript.replacing("BINDING", with: binding), isVerbose: true)
            #expect(text.contains("\n    channel binding: \(line)\n"), "\(binding)")
        }
        let inClear = transcript.replacing(" over tls", with: "").replacing("BINDING", with: "zero")
        let clear = try render(inClear, isVerbose: true)
        #expect(!clear.contains("channel binding:"))
    }
}
