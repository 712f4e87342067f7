import AuthScanWire
import TestPipeline
import TestSupport
import Testing

@testable import AuthScanSessions

@Suite struct ClientNumbersTests {
    private func capture() throws -> WireCapture {
        try readCapture(
            try Transcript(
                """
                connection 1 from 192.0.2.7:1025 to 203.0.113.9:3128
                > CONNECT far.example:443
                < 407
                  Proxy-Authenticate: Basic realm="proxy"
                connection 2 from 192.0.2.8:1025 to 203.0.113.1:80
                > GET /a
                  Host: a.example
                < 401
                  WWW-Authenticate: Basic realm="a"
                connection 3 from 192.0.2.7:1026 to 203.0.113.9:3128
                > GET http://a.example/b
                  Proxy-Authorization: Basic {basic alice:secret}
                < 200
                > GET http://B.example/c
                < 403
                connection 4 from 192.0.2.8:1026 to 203.0.113.1:80
                > GET /d
                  Host: A.example
                """
            ).capture(.plain).bytes
        )
    }

    @Test("a client has one number, and a connection one line")
    func numbersClients() throws {
        let numbers = ClientNumbers(try capture())
        #expect(numbers.clients.map(\.description) == ["192.0.2.7", "192.0.2.8"])
        #expect(numbers.numbers == [0, 1, 0, 0, 1])
        #expect(numbers.lines == [0, 1, 2, 2, 3])
        #expect(numbers.connections.map(\.index) == [0, 1, 2, 3])
        #expect(numbers.connections.map(\.client) == [0, 1, 0, 1])
    }

    @Test("a server has one number, however its host is written and whoever stands before it")
    func numbersServers() throws {
        let numbers = ServerNumbers(try capture())
        let names = numbers.servers.map { numbers.origins.origins[Int($0)].host }
        #expect(names == ["far.example", "a.example", "a.example", "b.example", "a.example"])
        #expect(Set(numbers.servers).count == 3 && numbers.origins.origins.count == 3)
    }

    @Test("a transaction has what its groups depend on")
    func notesTraits() throws {
        let numbers = ServerNumbers(try capture())
        #expect(numbers.traits == [[.connect, .refusedByProxy, .concernsProxy], [], [.concernsProxy], [], []])
        #expect(numbers.refused == [1, 3])
        #expect(numbers.unansweredRequests == 1 && numbers.missingRequests == 0)
    }
}
