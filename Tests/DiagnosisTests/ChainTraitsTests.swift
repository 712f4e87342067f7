import AuthScanSessions
import TestPipeline
import Testing

@testable import AuthScanDiagnosis

@Suite struct ChainTraitsTests {
    private func traits(of transcript: String) throws -> ChainTraits {
        ChainTraits(try #require(try sessions(of: transcript).sessions.first))
    }

    @Test("a chain that is well has its scheme alone")
    func ofAWorkingChain() throws {
        let basic = try traits(of: "connection 1\n> GET /a\n  Authorization: Basic {basic alice:b}\n< 200")
        #expect(basic == [.basic])
        let digest = "Digest username=\"a\", realm=\"r\", nonce=\"1\", uri=\"/a\", response=\"0\""
        #expect(try traits(of: "connection 1\n> GET /a\n  Authorization: \(digest)\n< 200") == [.digest])
    }

    @Test("refusals, unfinished tries and connections without a word are traits")
    func ofFailures() throws {
        let refused = "connection 1\n> GET /a\n  Authorization: Basic {basic alice:b}\n< 401\n  WWW-Authenticate: Basic"
        #expect(try traits(of: refused) == [.basic, .refusal, .rejected])
        #expect(try traits(of: "connection 1\n> GET /a\n  Authorization: Basic {basic a:b}").contains(.unfinished))
        #expect(try traits(of: "connection 1 refused").contains(.bareConnection))
    }

    @Test("each trait has a bit of its own")
    func areDistinct() {
        let all: [ChainTraits] = [
            .refusal, .forbidden, .rejected, .proxy, .basic, .digest, .ntlm, .negotiate, .unfinished, .bearer,
            .otherScheme, .bareConnection, .tls, .kdc,
        ]
        #expect(Set(all.map(\.rawValue)).count == all.count)
        #expect(all.allSatisfy { $0.rawValue.nonzeroBitCount == 1 })
    }
}
