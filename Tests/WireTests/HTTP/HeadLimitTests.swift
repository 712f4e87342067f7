import AuthScanBytes
import Testing

@testable import AuthScanWire

/// Heads and values that are longer than what is kept of them.
@Suite struct HeadLimitTests {
    private func capture(_ change: (inout Limits) -> Void, _ script: (inout TestConversation) -> Void) throws
        -> WireCapture
    {
        var limits = Limits()
        change(&limits)
        var conversation = TestConversation()
        script(&conversation)
        return try analyze(conversation.segments, limits: limits)
    }

    @Test("a value is kept up to the limit, and its message known to be cut")
    func cutsValues() throws {
        let capture = try capture {
            $0.fieldValueBytes = 8
        } _: {
            $0.client("GET /a HTTP/1.1\r\nAuthorization: 12345678\r\nUser-Agent: 123456789\r\n\r\n")
            $0.server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            $0.client("GET /b HTTP/1.1\r\nUser-Agent: 12345678\r\n\r\n")
        }
        #expect(capture.transactions.map { $0.request?.isHeadComplete } == [false, true])
        #expect(capture.transactions.map { $0.request?.fields.text(of: .userAgent) } == ["12345678", "12345678"])
        #expect(capture.transactions.first?.response?.isHeadComplete == true)
        let exceeded = LimitExceeded(limit: "bytes of one field value", value: 8, leftOut: 1)
        #expect(capture.limitsExceeded == [exceeded])
    }

    @Test("a head is read up to the limit, and what follows it is found again")
    func cutsHeads() throws {
        let capture = try capture {
            $0.headBytes = 64
        } _: {
            $0.client("GET /a HTTP/1.1\r\nUser-Agent: x\r\n")
            $0.client("X-Long: \(String(repeating: "a", count: 100))\r\n\r\n")
            $0.server("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n")
            $0.client("GET /b HTTP/1.1\r\n\r\n")
            $0.server("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(capture.summaries == ["GET /a → 401", "GET /b → 200"])
        #expect(capture.transactions.map { $0.request?.isHeadComplete } == [false, true])
        let exceeded = LimitExceeded(limit: "bytes of one message head", value: 64, leftOut: 1)
        #expect(capture.limitsExceeded == [exceeded])
    }
}
