import AuthScanBytes
import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanSessions

@Suite struct GroupReaderTests {
    /// Clients behind a proxy that wants credentials, so that their requests belong to the proxy and to a server each, among
    /// others that go to servers directly, and CONNECT that belongs to nobody.
    private func capture(clients: Int) throws -> WireCapture {
        let transcript = (1...clients).map { client in
            """
            connection \(3 * client - 2) from 192.0.2.\(client % 250):\(1024 + client) to 203.0.113.9:3128
            > GET http://h\(client % 5).example/a
              Proxy-Authorization: Basic {basic alice:secret}
              Authorization: Basic {basic bob:secret}
            < 200
            > GET http://h\(client % 5).example/b
            < 407
              Proxy-Authenticate: Basic realm="proxy"
            connection \(3 * client - 1) from 192.0.2.\(client % 250):\(11024 + client) to 203.0.113.1:80
            > GET /direct
              Host: h\(client % 7).example
              Authorization: Basic {basic carol:secret}
            < \(client % 2 == 0 ? "200" : "401\n  WWW-Authenticate: Basic realm=\"r\(client % 3)\"")
            connection \(3 * client) from 192.0.2.\(client % 250):\(21024 + client) to 203.0.113.8:8080
            > CONNECT far.example:443
            < 503
            """
        }.joined(separator: "\n")
        return try readCapture(try Transcript(transcript).capture(.plain).bytes)
    }

    private func summary(_ sessions: Sessions) -> [String] {
        sessions.sessions.map { session in
            let entries = session.entries.map { "\($0.transaction.number)/\($0.exchange ?? -1)" }
            return "\(session.number) \(session.client) \(session.space) \(entries) \(session.exchanges.map(\.number))"
        }
    }

    @Test("what comes out does not depend on how many workers read the groups")
    func isTheSameForAnyWorkers() throws {
        let capture = try capture(clients: 400)
        let backwards = Workers(count: 4) { count, body in for part in (0..<count).reversed() { body(part) } }
        let alone = SessionBuilder.build(from: capture)
        let together = SessionBuilder.build(from: capture, workers: backwards)
        #expect(summary(alone) == summary(together))
        #expect(together.transactions.map(\.number) == Array(1...1600))
    }

    @Test("a transaction that belongs to a proxy and to a server is one and the same for both")
    func sharesTransactions() throws {
        let sessions = SessionBuilder.build(from: try capture(clients: 1))
        #expect(sessions.transactions.map(\.number) == [1, 2, 3, 4])
        let places = sessions.sessions.flatMap(\.entries).map(\.transaction).filter { $0.number == 1 }
        #expect(places.count == 2 && places.allSatisfy { $0 === sessions.transactions[0] })
    }

    @Test("exchanges are numbered in the order in which they begin, a proxy's before the server's behind it")
    func numbersExchanges() throws {
        let sessions = SessionBuilder.build(from: try capture(clients: 3))
        #expect(sessions.exchanges.map(\.number) == Array(1...9))
        #expect(sessions.exchanges.map { $0.legs[0].transaction.number } == [1, 1, 3, 5, 5, 7, 9, 9, 11])
        #expect(sessions.exchanges.prefix(2).map(\.target) == [.proxy, .origin])
        for exchange in sessions.exchanges {
            #expect(
                sessions.sessions.contains {
                    $0.exchanges.contains { $0 === exchange } && $0.space.number == exchange.space
                }
            )
        }
    }
}
