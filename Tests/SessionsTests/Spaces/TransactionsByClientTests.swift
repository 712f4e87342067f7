import AuthScanSessions
import AuthScanWire
import TestPipeline
import Testing

@Suite struct TransactionsByClientTests {
    private func result() throws -> Sessions {
        try sessions(
            of: """
                connection 1 from 192.0.2.9 to 203.0.113.1:80
                > GET /a
                < 200
                connection 2 from 192.0.2.7 to 203.0.113.1:80
                > GET /b
                < 401
                connection 3 from 192.0.2.9 to 203.0.113.1:80
                > GET /c
                < 403
                > GET /d
                < 404
                """
        )
    }

    @Test("every client has its transactions in packet order, to whatever connection")
    func findsEachClient() throws {
        let clients = try result().transactionsByClient
        #expect(clients.map { $0.transactions.map(\.number) } == [[2], [1, 3, 4]])
        #expect(clients[IPAddress(ipv4: 0xC000_0209)]?.map(\.number) == [1, 3, 4])
        #expect(clients[IPAddress(ipv4: 0xC000_0207)]?.map(\.number) == [2])
        #expect(clients[IPAddress(ipv4: 0xC000_0208)] == nil)
        #expect(clients[IPAddress(ipv6High: 0, low: 0xC000_0209)] == nil)
    }

    @Test("refused are 400, 401 and 403")
    func findsRefusedOnes() throws {
        let refused = try result().refusedByClient
        #expect(refused.map { $0.transactions.map(\.number) } == [[2], [3]])
    }
}
