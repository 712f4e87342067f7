import AuthScanSessions
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanDiagnosis

@Suite struct ChainRefusalsTests {
    /// A challenge, and an answer whose uri lacks the query, for each status given.
    private static func transcript(_ answers: [String]) -> String {
        var text =
            "connection 1\n> GET /app?x=1\n< 401\n  WWW-Authenticate: Digest realm=\"app\", nonce=\"n1\", qop=\"auth\"\n"
        for (index, answer) in answers.enumerated() {
            text += """
                > GET /app?x=1
                  Authorization: Digest username="alice", realm="app", nonce="n1", uri="/app", qop=auth, nc=0000000\(index + 1), cnonce="c", response="00112233445566778899aabbccddeeff"
                < \(answer)

                """
        }
        return text + "closed by client"
    }

    private static let refusal = "401\n  WWW-Authenticate: Digest realm=\"app\", nonce=\"n1\", qop=\"auth\""

    private static func findings(_ answers: [String]) throws -> [Finding] {
        try diagnosis(of: transcript(answers)).findings.filter { $0.rule == "digest-uri-mismatch" }
    }

    @Test func countsRefusals() throws {
        let found = try Self.findings([Self.refusal, Self.refusal])
        #expect(found.map(\.severity) == [.error])
        #expect(found.first?.message.hasSuffix(" (2 times)") == true)
    }

    @Test("a fault that the server accepts elsewhere explains nothing")
    func forgivesToleratedFaults() throws {
        #expect(try Self.findings(["200", Self.refusal]).isEmpty)
        #expect(try Self.findings([Self.refusal, "200"]).isEmpty)
    }

    @Test("stale=true says that everything but the nonce is right")
    func forgivesStaleNonces() throws {
        #expect(try Self.findings([Self.refusal + ", stale=true"]).isEmpty)
    }

    @Test("a refusal that the client gets over is a note")
    func weighsLighterWhatIsMended() throws {
        let mended = Self.transcript([Self.refusal]).replacing(
            "closed by client",
            with: """
                > GET /app?x=1
                  Authorization: Digest username="alice", realm="app", nonce="n1", uri="/app?x=1", qop=auth, nc=00000002, cnonce="c", response="00112233445566778899aabbccddeeff"
                < 200
                """
        )
        let found = try diagnosis(of: mended).findings.filter { $0.rule == "digest-uri-mismatch" }
        #expect(found.map(\.severity) == [.note])
    }

    @Test func quotesURIsWithoutSecrets() {
        #expect("/app?access_token=secret".uriInQuotes.contains("secret") == false)
        #expect("/app?page=2".uriInQuotes == "\"/app?page=2\"")
    }

    @Test func cutsLongTexts() {
        #expect("short".excerptInQuotes == "\"short\"")
        #expect(String(repeating: "a", count: 61).excerptInQuotes == "\"\(String(repeating: "a", count: 57))…\"")
    }
}
