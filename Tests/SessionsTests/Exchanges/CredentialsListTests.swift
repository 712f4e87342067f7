import AuthScanSchemes
import Testing

@testable import AuthScanSessions

@Suite struct CredentialsListTests {
    private let basic = ChallengeParser.parseCredentials(Array("Basic YTpi".utf8)[...])
    private let bearer = ChallengeParser.parseCredentials(Array("Bearer abc".utf8)[...])

    @Test("none, one and several are the collection that an array of them is")
    func isCollection() {
        let none = CredentialsList([])
        #expect(none.isEmpty && none.count == 0 && none.first == nil && Array(none).isEmpty)
        let one = CredentialsList(basic)
        #expect(!one.isEmpty && one.count == 1 && one.first === basic && one[0] === basic)
        let several = CredentialsList([basic, bearer])
        #expect(several.first === basic && several[1] === bearer && several.map(\.scheme) == [.basic, .bearer])
        #expect(CredentialsList([bearer]).first === bearer)
    }
}
