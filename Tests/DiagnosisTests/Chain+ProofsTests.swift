import AuthScanDiagnosis
import TestPipeline
import Testing

@Suite struct ChainProofsTests {
    private static func ntlm(_ message: String, known: String, status: Int = 401) -> String {
        """
        password of alice \(known)
        connection 1
        > GET /app
          Authorization: NTLM {NEGOTIATE_MESSAGE}
        < 401
          WWW-Authenticate: NTLM {CHALLENGE_MESSAGE domain=CORP computer=WEB03}
        > GET /app
          Authorization: NTLM {AUTHENTICATE_MESSAGE user=alice domain=CORP \(message)}
        < \(status)
          WWW-Authenticate: NTLM
        closed by client
        """
    }

    private static func errors(in transcript: String) throws -> [Finding] {
        try diagnosis(of: transcript).findings.filter { $0.severity == .error }
    }

    @Test("a refused NTLM response says what the given password makes of it")
    func speaksOfPassword() throws {
        let right = try Self.errors(in: Self.ntlm("password=Spring-1", known: "Spring-1"))
        #expect(right.map(\.rule) == ["ntlm-credential-rejected"])
        #expect(right.first?.message.contains("the given password is right") == true)
        let wrong = try Self.errors(in: Self.ntlm("password=Autumn-1", known: "Spring-1"))
        #expect(wrong.first?.message.contains("not made of any given password") == true)
        let unknown = try Self.errors(
            in: Self.ntlm("password=Autumn-1", known: "Spring-1").replacing("of alice", with: "of bob")
        )
        #expect(unknown.map(\.rule) == ["ntlm-credential-rejected"])
        #expect(unknown.first?.message.contains("given password") == false)
    }

    @Test("a code that does not fit explains the refusal instead of the password")
    func explainsByIntegrityCode() throws {
        let findings = try Self.errors(in: Self.ntlm("password=Spring-1 mic=wrong", known: "Spring-1"))
        #expect(findings.map(\.rule) == ["ntlm-mic-invalid"])
        let accepted = try diagnosis(of: Self.ntlm("password=Spring-1 mic=wrong", known: "Spring-1", status: 200))
        #expect(accepted.findings.filter { $0.rule == "ntlm-mic-invalid" }.map(\.severity) == [.note])
        #expect(accepted.chains.map(\.verdict) == [.working])
    }

    @Test("a Digest response that does not verify is the one explanation")
    func explainsByDigest() throws {
        let transcript = """
            password of alice Spring-1
            connection 1
            > GET /app
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b21", qop="auth"
            > GET /app
              Authorization: Digest username="alice", realm="app", nonce="b21", uri="/app", qop=auth, nc=00000001, \
            cnonce="c", response="RESPONSE"
            < 401
              WWW-Authenticate: Digest realm="app", nonce="b22", qop="auth"
            closed by client
            """
        let wrong = transcript.replacing("RESPONSE", with: "00112233445566778899aabbccddeeff")
        #expect(try Self.errors(in: wrong).map(\.rule) == ["digest-response-wrong"])
        let right = try Self.errors(in: transcript.replacing("RESPONSE", with: "5614a22beeb1eb1990d545d642887633"))
        #expect(right.map(\.rule) == ["digest-credential-rejected"])
        #expect(right.first?.message.contains("the given password is right") == true)
    }
}
