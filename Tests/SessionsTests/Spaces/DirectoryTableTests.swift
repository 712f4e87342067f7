import AuthScanSessions
import TestPipeline
import TestSupport
import Testing

@Suite struct DirectoryTableTests {
    /// Two protection spaces, and a request without credentials for some path.
    private func space(of path: String) throws -> String? {
        let result = try sessions(
            of: """
                connection 1
                > GET /reports/
                  Authorization: Digest username="a", realm="Reports", nonce="1", uri="/reports/", response="0"
                < 200
                > GET /reports/private/
                < 401
                  WWW-Authenticate: Basic realm="Private"
                > GET \(path)
                < 200
                """
        )
        return result.sessions.first { $0.entries.contains { $0.transaction.number == 3 } }?.space.realm
    }

    @Test("a request belongs to the space that guards the longest prefix of its path")
    func findsTheLongestPrefix() throws {
        #expect(try space(of: "/reports/2026.html") == "Reports")
        #expect(try space(of: "/reports/private/a/b/c.html") == "Private")
    }

    @Test("where spaces guard many directories each is found")
    func findsManyDirectories() throws {
        let guarded = (1...40).map { number in
            """
            > GET /\(number % 2 == 0 ? "even" : "odd")/\(number)/
              Authorization: Digest username="a", realm="\(number % 2 == 0 ? "Even" : "Odd")", nonce="1", uri="/", response="0"
            < 401
              WWW-Authenticate: Digest realm="\(number % 2 == 0 ? "Even" : "Odd")", nonce="2"
            """
        }
        let bare = (1...40).map { "> GET /\($0 % 2 == 0 ? "even" : "odd")/\($0)/x\n< 200" }
        let result = try sessions(of: (["connection 1"] + guarded + bare).joined(separator: "\n"))
        #expect(result.sessions.map(\.space.realm) == ["Odd", "Even"])
        #expect(result.sessions[1].entries.map(\.transaction.number) == Array(stride(from: 2, through: 80, by: 2)))
    }

    @Test("a path of ten thousand directories is looked up at once")
    func boundsDepth() throws {
        let time = try processorTime { _ = try space(of: "/reports" + String(repeating: "/a", count: 10_000)) }
        #expect(time < .seconds(5))
    }
}
