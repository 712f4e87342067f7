import AuthScanWire
import TestPipeline
import Testing

@testable import AuthScanSessions

@Suite struct TransactionSummaryTests {
    @Test("a summary says what its transaction says, wherever it lies")
    func saysTheSame() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET /a
                  Host: a.example
                  Authorization: Basic {basic bob:wrong}
                  Authorization: Bearer abc
                < 401
                  WWW-Authenticate: Basic realm="r"
                > POST /login
                  Host: a.example
                < 200
                  Set-Cookie: s=1
                > GET /b
                  Host: a.example
                  Authorization: Bearer abc
                """
        )
        let session = try #require(result.sessions.first)
        #expect(session.entries.count == 3)
        for entry in session.entries {
            #expect(entry.summary.number == entry.transaction.number)
            #expect(entry.summary.packet == entry.transaction.request?.evidence.headPacket)
            #expect(entry.summary.status == entry.transaction.response?.status)
            #expect(entry.summary.hasCredentials == !entry.transaction.originFields.credentials.isEmpty)
            #expect(!entry.summary.hasProxyCredentials && !entry.summary.isSecure && !entry.summary.isHTTP2)
        }
        #expect(session.entries.map(\.summary.hasCredentials) == [true, false, true])
        #expect(session.entries.map(\.summary.isFormLogin) == [false, true, false])
        #expect(session.entries.map(\.summary.isComplete) == [true, true, false])
        #expect(session.entries.map(\.summary.status) == [401, 200, nil])
        for exchange in session.exchanges {
            #expect(exchange.lastSummary.number == exchange.lastLeg.transaction.number)
        }
    }

    @Test("credentials for a proxy are told from those for the server")
    func tellsProxiesApart() throws {
        let result = try sessions(
            of: """
                connection 1
                > GET http://a.example/
                  Host: a.example
                  Proxy-Authorization: Basic {basic bob:secret}
                < 200
                """
        )
        let summary = try #require(result.transactions.first?.summary)
        #expect(summary.hasProxyCredentials && !summary.hasCredentials)
    }
}
