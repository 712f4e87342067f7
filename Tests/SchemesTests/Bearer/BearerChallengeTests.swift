import Testing

@testable import AuthScanSchemes

@Suite struct BearerChallengeTests {
    @Test("RFC 6750 §3")
    func readsWorkedExample() {
        let list = challenges(
            #"Bearer realm="example", scope="a b", error="invalid_token", error_description="The access token expired""#
        )
        guard case .bearer(let challenge) = list[0].content else {
            Issue.record("another kind of content")
            return
        }
        #expect(challenge.realm == "example" && challenge.scope == ["a", "b"] && challenge.error == "invalid_token")
        #expect(challenge.errorDescription == "The access token expired" && list[0].problems.isEmpty)
    }

    @Test func aTokenInAWrongFormIsStillTheToken() {
        #expect(credentials("Bearer {abc}").bearer?.token?.revealed == "{abc}")
        #expect(credentials("Bearer").bearer?.token == nil)
    }
}
