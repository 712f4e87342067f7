import Testing

@testable import AuthScanWire

@Suite struct TransactionOutlineTests {
    @Test("an outline says what the transaction itself says")
    func agreesWithTransactions() throws {
        let capture = try analyze { conversation in
            conversation.client("GET /a HTTP/1.1\r\nHost: a\r\nUser-Agent: x\r\nAuthorization: Basic dTpw\r\n\r\n")
            conversation.server("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n")
            conversation.client("POST /b HTTP/1.1\r\nHost: a\r\nUser-Agent:\r\nContent-Length: 0\r\n\r\n")
            conversation.server("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic realm=\"p\"\r\nContent-Length: 0\r\n\r\n")
            conversation.client("CONNECT b:80 HTTP/1.1\r\nHost: b\r\nProxy-Authorization: Basic dTpw\r\n\r\n")
            conversation.server("HTTP/1.1 200 Connected\r\n\r\n")
            conversation.client("GET /inside HTTP/1.1\r\nHost: b\r\n\r\n")
        }
        let captured = capture.transactions
        let outlines = captured.indices.map(captured.outline)
        #expect(capture.summaries == ["GET /a → 401", "POST /b → 407", "CONNECT b:80 → 200", "GET /inside → –"])
        for (outline, transaction) in zip(outlines, captured) {
            #expect(outline.connection == transaction.connection && !outline.isHTTP2 && !outline.isSecure)
            #expect(outline.requestPacket == transaction.request?.evidence.headPacket)
            #expect(outline.responsePacket == transaction.response?.evidence.headPacket)
            #expect(outline.status == transaction.response?.status)
            #expect(outline.isConnect == transaction.request?.isConnect)
            #expect(outline.isPost == transaction.request?.isPost)
        }
        #expect(outlines.map(\.isComplete) == [true, true, true, false])
        #expect(outlines.map(\.lacksUserAgent) == [false, true, true, true])
        #expect(outlines.map { $0.hostNumber == nil } == [false, false, true, true])
        #expect(outlines.map(\.mayConcernProxy) == [false, true, true, false])
        #expect(outlines.map { $0.requestMayContain(.authorization) } == [true, false, false, false])
        #expect(outlines.map { $0.responseMayContain(.wwwAuthenticate) } == [true, false, false, false])
    }

    @Test("a response without its request has no request's facts")
    func standsForHalves() throws {
        let capture = try analyze { conversation in
            conversation.server("HTTP/1.1 401 No\r\nWWW-Authenticate: NTLM\r\nContent-Length: 0\r\n\r\n")
        }
        let outline = capture.transactions.outline(0)
        #expect(outline.requestPacket == nil && outline.status == 401 && outline.responsePacket != nil)
        #expect(!outline.isComplete && !outline.lacksUserAgent && !outline.isConnect && !outline.isPost)
        #expect(outline.hostNumber == nil && !outline.requestMayContain(.authorization))
    }
}
