import AuthScanSchemes
import Testing

@testable import AuthScanSessions

@Suite struct RecentCredentialsTests {
    @Test("the same field value is decoded once, and another one anew")
    func sharesEqualValues() {
        var recent = RecentCredentials()
        let (alice, bob) = (Array("Basic YWxpY2U6c2VjcmV0".utf8), Array("Basic Ym9iOnNlY3JldA==".utf8))
        let first = recent.decode(alice[...])
        #expect(first.user == "alice" && recent.decode((Array("x".utf8) + alice).dropFirst()) === first)
        let second = recent.decode(bob[...])
        #expect(second.user == "bob" && second !== first)
        #expect(recent.decode(alice[...]).user == "alice")
    }

    @Test("an empty value is decoded as any other")
    func decodesNothing() {
        var recent = RecentCredentials()
        #expect(!recent.decode([]).problems.isEmpty)
    }
}
