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
            TextReport(isColoured: false, isVerbose: true).render(report),
        ]
    }

    /// Every way in which a secret could be written down.
    private static func forms(of secret: [UInt8]) -> [String] {
        let hex = secret.map { String(format: "%02x", $0) }
        let percent = hex.map { "%" + $0.uppercased() }.joined()
        let plain = String(decoding: secret, as: UTF8.self)
        // A secret in the middle of base64 starts at any of three phases; its inner part is the same in each.
        let base64 = (0..<3).map { phase in
            String(Data([UInt8](repeating: 0, count: phase) + secret).base64EncodedString().dropFirst(4).dropLast(4))
        }
        return [hex.joined(), hex.joined().uppercased(), percent, plain] + base64
    }

    @Test(
        "no secret reaches a report, in whatever form",
        arguments: [
            ("Basic {basic alice:\(canary)}", canary),
            ("Bearer \(canary)", canary),
            ("Bearer {jwt sub=alice exp=+3600 alg=\(canary)}x\(canary)", "x\(canary)"),
            ("Digest username=\"alice\", realm=\"a\", nonce=\"n\", uri=\"/a\", response=\"\(canary)\"", canary),
            ("Hawk id=\"a\", mac=\"\(canary)\"", canary),
            ("Token \(canary)", canary),
            ("AWS4-HMAC-SHA256 Credential=a/b, SignedHeaders=host, Signature=\(canary)", canary),
        ]
    )
    func redacts(credentials: String, secret: String) throws {
        let transcript = "connection 1\n> GET /a\n  Authorization: \(credentials)\n  Cookie: sid=\(Self.canary)\n< 401"
        for text in try Self.renderings(transcript) {
            for form in Self.forms(of: Array(secret.utf8)) { #expect(!text.contains(form), "\(form)") }
        }
    }

    @Test(
        "no secret reaches a report from the fields beside",
        arguments: [
            "> GET /a\n  Authorization: DPoP \(canary)\n  DPoP: \(canary)\n< 401",
            "> GET /a\n  Authorization: Basic {basic a:b}\n  X-WSSE: UsernameToken PasswordDigest=\"\(canary)\"\n< 401",
            "> GET /a\n  Authorization: Basic {basic a:b}\n< 200\n  Authentication-Info: rspauth=\"\(canary)\"",
            "> GET /a\n  Authorization: Concealed k=a, a=b, s=1, v=\(canary), p=\(canary)\n< 404",
            "> GET /a\n  Authorization: Mutual sid=a, nc=1, vkc=\"\(canary)\"\n< 401",
            "> GET /a\n  Authorization: PrivateToken token=\"\(canary)\"\n< 401",
            "> GET /a\n< 403\n  X-Forms_Based_Auth_Return_Url: https://a.example/b?access_token=\(canary)",
            "> GET /a\n< 401\n  WWW-Authenticate: GNAP as_uri=\"https://a.example/b?access_token=\(canary)\"",
        ]
    )
    func redactsSideFields(messages: String) throws {
        for text in try Self.renderings("connection 1\n" + messages) {
            for form in Self.forms(of: Array(Self.canary.utf8)) { #expect(!text.contains(form), "\(form)") }
        }
    }

    @Test(
        "no proof of NTLM or Kerberos reaches a report",
        arguments: [
            "NTLM {AUTHENTICATE_MESSAGE user=alice response=NTLMv2 proof=c0ffee0102030405060708090a0b0c0d}",
            "NTLM {AUTHENTICATE_MESSAGE user=alice response=NTLMv1}",
            "NTLM {AUTHENTICATE_MESSAGE user=alice response=LM}",
            "Negotiate {SPNEGO init mech=NTLM token={AUTHENTICATE_MESSAGE user=alice}}",
            "Negotiate {AP-REQ service=HTTP/intranet.example size=300}",
        ]
    )
    func redactsProofs(credentials: String) throws {
        let transcript = "connection 1\n> GET /a\n  Authorization: \(credentials)\n< 401\n  WWW-Authenticate: NTLM"
        let report = try Self.report(transcript)
        let revealed = String(decoding: JSONReport(secrets: .show).render(report), as: UTF8.self)
        let secrets = try Self.secretMembers(of: revealed)
        #expect(!secrets.isEmpty)
        for text in try Self.renderings(transcript) {
            for secret in secrets {
                for form in Self.forms(of: secret) { #expect(!text.contains(form), "\(form)") }
            }
        }
    }

    @Test(
        "no secret of a URI reaches a report, in whatever form it is written there",
        arguments: [
            "> GET /a?access_token=☠\n< 401", "> GET /a;jsessionid=☠?b\n< 401", "> GET /a#id_token=☠\n< 401",
            "> GET http://alice:☠@intranet.example/a\n< 401", "> CONNECT alice:☠@intranet.example:443\n< 407",
            "> GET /a\n  Host: alice:☠@intranet.example\n< 401", "> GET /a?next=%2Fb%3Fpassword%3D☠\n< 401",
            "> GET /a?token=☠\n  Authorization: Digest username=\"alice\", realm=\"a\", uri=\"/a?token=☠\"\n< 401",
            "> GET /a?sig=☠\n< 401\n  WWW-Authenticate: Digest realm=\"a\", nonce=\"n\", domain=\"/a?sig=☠ /b\"",
            "> GET /a?code=☠\n< 401\n  WWW-Authenticate: Bearer error_uri=\"http://e.example/?token=☠\"",
            "> GET /a?code=☠\n  -User-Agent\n< 403\n> GET /a?code=☠\n< 200",
            """
            > GET /a?code=☠
              Authorization: Basic {basic alice:b}
            < 302
              Location: http://alice:☠@intranet.example/b;jsessionid=☠?ticket=☠#access_token=☠
              Set-Cookie: sid=☠; Path=/
            > GET /b;jsessionid=☠?ticket=☠
              Referer: http://intranet.example/a?code=☠
            < 401
              WWW-Authenticate: Basic realm="a"
            """,
        ]
    )
    func redactsURIs(conversation: String) throws {
        let secret = Array(Self.canary.utf8)
        let encoded = secret.map { String(format: "%%%02x", $0) }.joined()
        for written in [Self.canary, encoded, Data(secret).base64EncodedString()] {
            let transcript =
                "connection 1\n" + conversation.replacing("☠", with: written) + "\nclosed by client"
            #expect(try !Self.report(transcript).capture.transactions.isEmpty)
            for text in try Self.renderings(transcript) {
                for form in Self.forms(of: secret) + [encoded] {
                    #expect(!text.contains(form), "\(form) of \(written)")
                }
            }
        }
    }

    @Test("decode redacts the URI of a field as well, unless secrets are wanted")
    func redactsURIsOfFields() throws {
        let field = "Authorization: Digest username=\"alice\", realm=\"a\", uri=\"/a?token=\(Self.canary)\""
        for text in [
            try #require(FieldReport(secrets: .redact).text(field)),
            String(decoding: try #require(FieldReport(secrets: .redact).json(field)), as: UTF8.self),
        ] {
            #expect(!text.contains(Self.canary) && text.contains("token=‹redacted, 13 bytes›"))
        }
        #expect(FieldReport(secrets: .show).text(field)?.contains(Self.canary) == true)
        let pasted = "> GET /a?token=\(Self.canary) HTTP/1.1\n> Authorization: Basic YTpi"
        #expect(FieldReport(secrets: .redact).text(pasted)?.contains(Self.canary) == false)
    }

    /// The bytes of the members that hold secrets, as `--show-secrets` writes them.
    private static func secretMembers(of json: String) throws -> [[UInt8]] {
        json.matches(of: /"(?:ntResponse|lmResponse|ntProofStr|cipher)":"([0-9a-f]{16,})"/).map { match in
            let digits = Array(String(match.1))
            return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
                UInt8(String(digits[$0...$0 + 1]), radix: 16)
            }
        }.filter { !$0.allSatisfy { $0 == 0 } }
    }

    @Test("--show-secrets shows those of URIs")
    func showsURIs() throws {
        let report = try Self.report("connection 1\n> GET http://a:\(Self.canary)@b/?code=\(Self.canary)\n< 401")
        let text = String(decoding: JSONReport(secrets: .show).render(report), as: UTF8.self)
        let uri = "http://a:\(Self.canary)@b/?code=\(Self.canary)"
        #expect(text.contains(#""target":"\#(uri)","url":"\#(uri)""#))
    }

    @Test("--show-secrets shows them")
    func shows() throws {
        let report = try Self.report(
            "connection 1\n> GET /a\n  Authorization: Basic {basic alice:\(Self.canary)}\n< 200"
        )
        #expect(String(decoding: JSONReport(secrets: .show).render(report), as: UTF8.self).contains(Self.canary))
    }

    private static let evil = "\u{1B}[2J\u{202E}\u{200B}\u{7}\u{9B}"

    @Test(
        "no captured character that acts or hides reaches a report raw",
        arguments: [
            "> GET /a\(evil)b\n< 401\n  WWW-Authenticate: Basic realm=\"a\"",
            "> GE\(evil)T /a\n< 401\n  WWW-Authenticate: Basic realm=\"a\"",
            "> GET /a\n  Host: a\(evil).example\n< 401\n  WWW-Authenticate: Basic realm=\"a\"",
            "> GET /a\n  User-Agent: \(evil)\n< 401\n  WWW-Authenticate: Basic realm=\"a\"",
            "> GET /a\n  Authorization: Basic {basic al\(evil)ice:secret}\n< 401\n  WWW-Authenticate: Basic realm=\"a\"",
            "> GET /a\n< 401\n  WWW-Authenticate: Basic realm=\"\(evil)\"",
            "> GET /a\n< 401\n  WWW-Authenticate: Ba\(evil)sic realm=\"a\"",
            "> GET /a\n< 401\n  WWW-Authenticate: Other x\(evil)=\"a\", y=\"\(evil)\"",
            "> GET /a\n  Authorization: Digest username=\"\(evil)\", realm=\"\(evil)\", uri=\"\(evil)\"\n< 401",
            """
            > GET /a
              Authorization: NTLM {AUTHENTICATE_MESSAGE user=a\(evil) domain=b\(evil) workstation=c\(evil)}
            < 401
              WWW-Authenticate: NTLM
            """,
        ]
    )
    func escapesHostileText(conversation: String) throws {
        let report = try Self.report("connection 1\n" + conversation + "\nclosed by client")
        #expect(!report.chains.isEmpty)
        let texts = [
            String(decoding: JSONReport(secrets: .show).render(report), as: UTF8.self),
            TextReport(isColoured: false).render(report),
        ]
        for text in texts {
            for scalar in Self.evil.unicodeScalars where scalar.value < 0x20 || scalar.value > 0x7E {
                #expect(!text.unicodeScalars.contains(scalar), "U+\(String(scalar.value, radix: 16))")
            }
        }
    }
}
