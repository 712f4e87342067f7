import AuthScanSchemes
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
}
