import AuthScanReport
import AuthScanWire
import Foundation
import TestPipeline
import TestSupport
import Testing

/// Plants secrets and hostile text in a capture, and searches the reports for them.
@Suite struct SecretsTests {
    private static let canary = "Canary-7f3a9c"

    private static func report(_ transcript: String) throws -> Report {
        let capture = try readCapture(try Transcript(transcript).capture().bytes)
        let found = try sessions(of: transcript)
        return Report(capture: capture, sessions: found, diagnosis: try diagnosis(of: transcript))
    }

    private static func renderings(_ transcript: String) throws -> [String] {
        let report = try report(transcript)
        return [
            String(decoding: JSONReport(secrets: .redact).render(report), as: UTF8.self),
            TextReport(isColoured: false).render(report),
        ]
    }

    private static func forms(of secret: String) -> [String] {
        let bytes = Data(secret.utf8)
        return [secret, bytes.base64EncodedString(), bytes.map { String($0, radix: 16) }.joined()]
    }

    @Test(
        "no secret reaches a report, in whatever form",
        arguments: [
            "Basic {basic alice:\(canary)}", "Bearer \(canary)",
            "Digest username=\"alice\", realm=\"a\", nonce=\"n\", uri=\"/a\", response=\"\(canary)\"",
        ]
    )
    func redacts(credentials: String) throws {
        let transcript = "connection 1\n> GET /a\n  Authorization: \(credentials)\n  Cookie: sid=\(Self.canary)\n< 401"
        for text in try Self.renderings(transcript) {
            for form in Self.forms(of: Self.canary) { #expect(!text.contains(form)) }
            #expect(!text.contains(Data("alice:\(Self.canary)".utf8).base64EncodedString()))
        }
    }

    @Test("--show-secrets shows them")
    func shows() throws {
        let report = try Self.report(
            "connection 1\n> GET /a\n  Authorization: Basic {basic alice:\(Self.canary)}\n< 200"
        )
        #expect(String(decoding: JSONReport(secrets: .show).render(report), as: UTF8.self).contains(Self.canary))
    }

    @Test("no captured control character reaches a report raw")
    func escapesHostileText() throws {
        let evil = "\u{1B}[2J\u{202E}\u{7}"
        let transcript = """
            connection 1
            > GET /a\(evil)b
              User-Agent: \(evil)
              Authorization: Basic {basic al\(evil)ice:secret}
            < 401
              WWW-Authenticate: Basic realm="\(evil)"
            closed by client
            """
        for text in try Self.renderings(transcript) {
            for scalar in ["\u{1B}", "\u{202E}", "\u{7}"] as [Unicode.Scalar] {
                #expect(!text.unicodeScalars.contains(scalar))
            }
        }
    }
}
