import AuthScanBytes
import AuthScanSessions
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanDiagnosis

@Suite struct DiagnosisTests {
    /// Hosts at which a Basic password goes over the wire in clear, and is refused by every third one.
    private static func capture(hosts: Int) throws -> WireCapture {
        let transcript = (1...hosts).map { host in
            """
            connection \(host)
            > GET /app
              Host: h\(host).example
              Authorization: Basic {basic alice:secret}
            < \(host % 3 == 0 ? "401\n  WWW-Authenticate: Basic realm=\"app\"" : "200")
            """
        }.joined(separator: "\n")
        return try readCapture(try Transcript(transcript).capture(.plain).bytes)
    }

    private func summary(_ diagnosis: Diagnosis) -> [String] {
        diagnosis.chains.map { "\($0.number) \($0.verdict) \($0.findings) \(String(describing: $0.breakpoint))" }
            + diagnosis.findings.map { "\($0.number) \($0.chain) \($0.rule) \($0.message) \($0.explains)" }
            + diagnosis.notAssessed.map { "\($0.rule) \($0.incompleteness)" }
            + diagnosis.limitsExceeded.map { "\($0)" }
    }

    @Test("what is said does not depend on how many workers say it")
    func isTheSameForAnyWorkers() throws {
        let capture = try Self.capture(hosts: 700)
        let backwards = Workers(count: 4) { count, body in for part in (0..<count).reversed() { body(part) } }
        let alone = Diagnosis.diagnose(SessionBuilder.build(from: capture), of: capture)
        let together = Diagnosis.diagnose(
            SessionBuilder.build(from: capture, workers: backwards),
            of: capture,
            workers: backwards
        )
        #expect(alone.chains.count == 700 && alone.chains.map(\.number) == Array(1...700))
        #expect(alone.findings.map(\.number) == Array(1...alone.findings.count))
        #expect(summary(alone) == summary(together))
    }

    @Test("findings beyond the limit of a rule are counted, and nothing refers to them")
    func keepsWithinTheLimit() throws {
        let capture = try Self.capture(hosts: 9)
        var limits = Limits()
        limits.findingsPerRule = 2
        let diagnosis = Diagnosis.diagnose(SessionBuilder.build(from: capture), of: capture, limits: limits)
        #expect(diagnosis.findings.filter { $0.rule == "credentials-in-clear" }.count == 2)
        #expect(diagnosis.findings.filter { $0.rule == "basic-credential-rejected" }.count == 2)
        #expect(diagnosis.findings.map(\.number) == Array(1...4))
        #expect(
            diagnosis.limitsExceeded.map(\.limit) == [
                "findings of basic-credential-rejected", "findings of credentials-in-clear",
            ]
        )
        #expect(diagnosis.limitsExceeded.map(\.leftOut) == [1, 7])
        let broken = diagnosis.chains.filter { $0.verdict == .broken }
        #expect(broken.map { $0.breakpoint?.finding != nil } == [true, true, false])
    }
}
