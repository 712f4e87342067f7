import AuthScanBytes
import Testing

@testable import AuthScanWire

@Suite struct CapturedTransactionsTests {
    /// Two connections of which the first one's request is whole last, and begins first.
    private func crossing() throws -> WireCapture {
        var early = TestConversation(clientPort: 40_000)
        early.client("GET /early HTTP/1.1\r\nHost: a.exa")
        var late = TestConversation(clientPort: 40_001)
        late.client("GET /late HTTP/1.1\r\nHost: b.example\r\nUser-Agent: late\r\n\r\n")
        let begun = early.segments.count
        early.client("mple\r\nUser-Agent: early\r\n\r\n")
        early.server("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
        return try analyze(Array(early.segments[..<begun]) + late.segments + Array(early.segments[begun...]))
    }

    @Test("they come in the order in which they begin, whichever was whole first")
    func keepsTheOrder() throws {
        let transactions = try crossing().transactions
        #expect(transactions.map(\.summary) == ["GET /early → 401", "GET /late → –"])
        #expect(transactions.map(\.number) == [1, 2])
        #expect(transactions.map { $0.request?.fields.text(of: .userAgent) } == ["early", "late"])
        #expect(transactions.indices.map { transactions.outline($0).status } == [401, nil])
        #expect(transactions.indices.map(transactions.connection) == [1, 2])
        #expect(transactions.indices.map { transactions.userAgent($0).map(FieldLines.text) } == ["early", "late"])
        #expect(
            transactions.indices.map { transactions.namingHost($0).map(FieldLines.text) } == ["a.example", "b.example"]
        )
    }

    @Test("a reference of one's own leads to the same transactions")
    func detaches() throws {
        let transactions = try crossing().transactions
        #expect(transactions.detached().map(\.summary) == transactions.map(\.summary))
        #expect(transactions.indices.map { transactions.detached().outline($0).hostNumber } == [1, 0])
    }

    @Test("the only line with a name is told from the first of several")
    func tellsTheOnlyLine() throws {
        let transactions = try analyze {
            $0.client("GET /1 HTTP/1.1\r\nAuthorization: a\r\nHost: a.example\r\n\r\n")
            $0.client("GET /2 HTTP/1.1\r\nAuthorization: a\r\nHost: a.example\r\nAuthorization: b\r\n\r\n")
            $0.client("GET /3 HTTP/1.1\r\nHost: a.example\r\n\r\n")
        }.transactions
        let only = transactions.indices.map {
            transactions.onlyRequestValue($0, of: .authorization).map(FieldLines.text)
        }
        #expect(only == ["a", nil, nil])
    }

    @Test("field lines are those of their message, in whichever buffer they lie")
    func findsTheBuffer() throws {
        let capture = try analyze { conversation in
            for number in 0..<2000 {
                let path = "/" + String(repeating: "x", count: 100) + "\(number)"
                conversation.client(
                    "GET \(path) HTTP/1.1\r\nHost: h\(number % 7).example\r\nUser-Agent: \(number)\r\n\r\n"
                )
                conversation.server(
                    "HTTP/1.1 401 No\r\nWWW-Authenticate: Basic realm=\"\(number)\"\r\nContent-Length: 0\r\n\r\n"
                )
            }
        }
        let transactions = capture.transactions
        #expect(transactions.count == 2000)
        for index in transactions.indices {
            #expect(transactions.userAgent(index).map(FieldLines.text) == "\(index)")
            #expect(
                transactions.responseValues(index, of: .wwwAuthenticate).map(FieldLines.text) == [
                    "Basic realm=\"\(index)\""
                ]
            )
            #expect(transactions.outline(index).hostNumber == index % 7)
        }
        #expect(transactions.hostCount == 7)
    }

    @Test("a host has a number only where nothing but Host names it")
    func numbersNamedHostsAlone() throws {
        let capture = try analyze { conversation in
            for head in [
                "GET / HTTP/1.1\r\nHost: a", "GET http://a/ HTTP/1.1\r\nHost: a", "OPTIONS * HTTP/1.1\r\nHost: a",
                "GET / HTTP/1.1",
                "GET /b HTTP/1.1\r\nHost: a\r\nHost: b", "CONNECT a:443 HTTP/1.1\r\nHost: a",
            ] {
                conversation.client(head + "\r\n\r\n")
                conversation.server("HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let transactions = capture.transactions
        #expect(transactions.indices.map { transactions.outline($0).hostNumber } == [0, nil, nil, nil, 0, nil])
    }

    @Test("a User-Agent is lacking where the first one is empty or there is none")
    func tellsLackingUserAgents() throws {
        let capture = try analyze { conversation in
            for line in ["User-Agent: x\r\n", "User-Agent:\r\n", "", "User-Agent: \r\nUser-Agent: x\r\n"] {
                conversation.client("GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n")
                conversation.server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            }
        }
        let transactions = capture.transactions
        #expect(transactions.indices.map { transactions.outline($0).lacksUserAgent } == [false, true, true, true])
    }
}
