import AuthScanSessions
import TestPipeline
import Testing

@Suite struct BareConnectionsTests {
    /// A handshake that the client ends because of the server's certificate.
    private static let untrusted = """
        > raw 160301002d0100002903030000000000000000000000000000000000000000000000000000000000000000000002c02f0100
        < raw 160303002a020000260303000000000000000000000000000000000000000000000000000000000000000000c02f00
        > raw 15030300020230
        closed by client
        """

    @Test("a connection without a word makes a session of its client and server")
    func makesASession() throws {
        let result = try sessions(of: "connection 1 to 198.51.100.20:443\n" + Self.untrusted)
        #expect(result.sessions.map(\.bareConnections) == [[1]])
        #expect(result.spaces.map(\.origin.description) == ["https://198.51.100.20:443"])
        let refused = try sessions(of: "connection 1 refused\nwait 1 s\nconnection 2 refused")
        #expect(refused.sessions.map(\.bareConnections) == [[1, 2]] && refused.sessions[0].entries.isEmpty)
    }

    @Test("it belongs to the session of the same client and server where there is one")
    func joinsASession() throws {
        let result = try sessions(
            of: """
                connection 1 refused
                connection 2
                > GET /app
                < 401
                  WWW-Authenticate: Basic realm="a"
                """
        )
        #expect(result.sessions.map(\.bareConnections) == [[1]])
        #expect(result.sessions[0].entries.count == 1)
    }

    @Test("connections of two processes of one client make two sessions, and join those of their own process")
    func tellsProcessesApart() throws {
        let own = try sessions(of: "connection 1 refused by App/5\nconnection 2 refused by WebContent/6 for App/5")
        #expect(own.sessions.map(\.bareConnections) == [[1], [2]])
        let answer = "> GET /app\n< 401\n  WWW-Authenticate: Basic realm=\"a\""
        let joined = try sessions(
            of: "connection 1 by App/5\n\(answer)\nconnection 2 by Web/6\n\(answer)\nconnection 3 refused by App/5"
        )
        #expect(joined.sessions.map(\.bareConnections) == [[3], []])
    }

    @Test("a scan of ports, and a port of another protocol, say nothing about HTTP")
    func ignoresScans() throws {
        let scan = (1...4).map { "connection \($0) to 198.51.100.20:800\($0) refused" }.joined(separator: "\n")
        #expect(try sessions(of: scan).sessions.isEmpty)
        #expect(try sessions(of: "connection 1 to 198.51.100.20:445 refused").sessions.isEmpty)
    }

    @Test("an ordinary connection is none of them")
    func leavesOthersAlone() throws {
        let result = try sessions(of: "connection 1\n> GET /app\n< 200\nclosed by client\nconnection 2 unanswered")
        #expect(result.sessions.isEmpty)
    }
}
