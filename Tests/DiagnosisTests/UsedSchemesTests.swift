import AuthScanSchemes
import AuthScanSessions
import TestPipeline
import Testing

@testable import AuthScanDiagnosis

@Suite struct UsedSchemesTests {
    @Test("a scheme is found under its name in any letter case, and no other")
    func findsWhatWasInserted() {
        var used = UsedSchemes()
        used.insert(.basic)
        used.insert(AuthenticationScheme(rawValue: "Token"))
        #expect(used.contains(AuthenticationScheme(rawValue: "BASIC")))
        #expect(used.contains(AuthenticationScheme(rawValue: "token")))
        #expect(!used.contains(.digest))
        #expect(!used.contains(.hawk))
        #expect(used.isDisjoint(with: [.digest, .hawk]))
        #expect(!used.isDisjoint(with: [.digest, .basic]))
    }

    @Test func joinsOthers() {
        var used = UsedSchemes()
        used.insert(.ntlm)
        var others = UsedSchemes()
        others.insert(.hawk)
        others.insert(.bearer)
        used.formUnion(others)
        #expect([AuthenticationScheme.ntlm, .hawk, .bearer].allSatisfy(used.contains))
        #expect(!used.contains(.negotiate))
    }

    @Test("a session's schemes are those of its exchanges")
    func gathersThoseOfASession() throws {
        let sessions = try sessions(
            of: """
                connection 1
                > GET /a
                  Authorization: Basic {basic bob:secret}
                < 200
                > GET /b
                  Authorization: Token abc
                < 200
                """
        ).sessions
        #expect(sessions.count == 1)
        let used = UsedSchemes(in: sessions[0])
        #expect(used.contains(.basic) && used.contains(AuthenticationScheme(rawValue: "token")))
        #expect(used.isDisjoint(with: [.digest, .ntlm, .hawk, .bearer]))
    }
}
