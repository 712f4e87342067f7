import AuthScanBytes
import AuthScanProof
import AuthScanReport
import Testing

@Suite struct FieldReportTests {
    private static let credentials = """
        Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, cnonce="c", \
        response="5614a22beeb1eb1990d545d642887633"
        """

    private func text(_ pasted: String, _ password: String = "Spring-1") throws -> String {
        var known = KnownSecrets()
        known.passwords = [KnownSecrets.Password(user: nil, text: Secret(password))]
        return try #require(FieldReport(secrets: .redact, known: known).text(pasted))
    }

    @Test("one field alone is held against the password")
    func provesOneField() throws {
        let field = "Authorization: \(Self.credentials)"
        #expect(try text(field).contains("Digest response: right"))
        #expect(try text(field, "Autumn-1").contains("Digest response: wrong"))
    }

    @Test("a field that has nothing to do with authentication is named, and its value shown unless it is secret")
    func namesOtherFields() throws {
        let report = FieldReport(secrets: .redact)
        #expect(
            report.text("x-ms-diagnostics: 4003000")
                == "name: x-ms-diagnostics\nremark: x-ms-diagnostics is not an authentication field\nvalue: 4003000\n"
        )
        for field in ["X-Api-Key: canary", "Cookie: a=canary", "Set-Cookie:a=canary"] {
            let text = try #require(report.text(field))
            #expect(text.contains("is not an authentication field\nvalue: ‹redacted") && !text.contains("canary"))
        }
        #expect(FieldReport(secrets: .show).text("X-Api-Key: canary")?.contains("value: canary") == true)
    }

    @Test("a pasted answer is the answer to the request before it")
    func provesServer() throws {
        let answer = "HTTP/1.1 200 OK\nAuthentication-Info: rspauth=\"8989830681b564bf17896a185b356c8d\", qop=auth"
        let request = "GET /app HTTP/1.1\nAuthorization: \(Self.credentials)\n"
        #expect(try text(request + answer).contains("Digest rspauth: right"))
        let forged = answer.replacing("8989830681b564bf17896a185b356c8d", with: "00112233445566778899aabbccddeeff")
        #expect(try text(request + forged).contains("Digest rspauth: wrong"))
        let later = request + "GET /other HTTP/1.1\n" + answer
        #expect(try text(later).contains("Digest response: right") && !text(later).contains("Digest rspauth"))
    }
}
