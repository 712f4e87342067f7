import TestPipeline
import Testing

@testable import AuthScanSessions

@Suite struct CensusTests {
    private func found() throws -> Sessions {
        try sessions(
            of: """
                connection 1
                > GET /a
                  Host: b.example
                  Authorization: Basic {basic bob:secret}
                < 200
                connection 2
                > GET /a
                  Host: a.example
                  Authorization: Basic {basic alice:secret}
                < 401
                  WWW-Authenticate: Basic realm="a"
                > GET /b
                  Host: a.example
                  Authorization: Basic {basic bob:secret}
                < 200
                > GET /c
                  Host: a.example
                  Authorization: Basic {basic carol:secret}
                < 200
                """
        )
    }

    @Test("outcomes are counted, and accounts come in the order in which they are met")
    func counts() throws {
        let census = try found().census
        #expect(census.outcomes == [.accepted: 3, .rejected: 1])
        #expect(census.accountCount == 3)
        #expect(census.firstAccounts(2) == ["bob", "alice"])
        #expect(census.firstAccounts(9) == ["bob", "alice", "carol"])
    }

    @Test("of an account that several sessions show, the first exchange counts, whichever is added first")
    func addsUp() throws {
        let census = try found().census
        var earlier = census
        var later = try sessions(
            of: """
                connection 1
                > GET /a
                  Host: b.example
                  Authorization: Basic {basic alice:secret}
                < 200
                """
        ).census
        let alone = later
        later.add(census)
        earlier.add(alone)
        #expect(later.outcomes == [.accepted: 4, .rejected: 1] && later.outcomes == earlier.outcomes)
        #expect(later.accounts == earlier.accounts)
        #expect(later.accounts["alice"] == alone.accounts["alice"])
        #expect(later.accountCount == 3)
    }
}
