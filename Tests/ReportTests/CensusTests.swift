import AuthScanSessions
import TestPipeline
import Testing

@testable import AuthScanReport

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

    private func census(of sessions: [ClientSession]) -> Census { Census(sessions.indices, of: sessions) }

    @Test("outcomes are counted, and accounts come in the order in which they are met")
    func counts() throws {
        let census = try census(of: found().sessions)
        #expect(census.outcomes == [.accepted: 3, .rejected: 1])
        #expect(census.accounts == ["bob": 1, "alice": 2, "carol": 4])
        #expect(census.firstAccounts(2) == ["bob", "alice"])
        #expect(census.firstAccounts(9) == ["bob", "alice", "carol"])
    }

    @Test("parts add up to the whole, in any order")
    func addsUp() throws {
        let sessions = try found().sessions
        #expect(sessions.count > 1)
        var census = Census()
        for index in sessions.indices.reversed() { census.add(Census(index..<(index + 1), of: sessions)) }
        let whole = self.census(of: sessions)
        #expect(census.outcomes == whole.outcomes && census.accounts == whole.accounts)
    }
}
