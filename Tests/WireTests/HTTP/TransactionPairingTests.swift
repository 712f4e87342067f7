import Testing

@testable import AuthScanWire

private func get(_ name: String) -> String { "GET /\(name) HTTP/1.1\r\nHost: a.example\r\n\r\n" }
private func status(_ code: Int, body: String = "") -> String {
    "HTTP/1.1 \(code) X\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
}

/// Who answers whom when the capture lacks something.
@Suite struct TransactionPairingTests {
    @Test func aLostRequestLeavesItsResponseAlone() throws {
        let capture = try analyze {
            $0.client(get("1"))
            $0.server(status(201))
            $0.lostFromClient(get("2"))
            $0.server(status(202))
            $0.client(get("3"))
            $0.server(status(203))
        }
        #expect(capture.summaries == ["GET /1 → 201", "– → 202", "GET /3 → 203"])
        #expect(capture.transactions.map(\.isPairingCertain) == [true, false, true])
    }

    @Test func aLostResponseLeavesItsRequestAlone() throws {
        let capture = try analyze {
            $0.client(get("1"))
            $0.lostFromServer(status(201))
            $0.client(get("2"))
            $0.server(status(202))
            $0.client(get("3"))
            $0.server(status(203))
        }
        #expect(capture.summaries == ["GET /1 → –", "GET /2 → 202", "GET /3 → 203"])
    }

    @Test func aHoleInsideABodyIsPassedOverExactly() throws {
        let capture = try analyze {
            $0.client(get("1"))
            $0.server("HTTP/1.1 201 X\r\nContent-Length: 30\r\n\r\n0123456789")
            $0.lostFromServer("0123456789")
            $0.server("0123456789" + "HTTP/1.1 102 Y\r\n\r\n" + status(202))
            $0.client(get("2"))
        }
        #expect(capture.summaries == ["GET /1 → 201", "– → 202", "GET /2 → –"])
        #expect(capture.transactions.first?.response?.bodyBytes == 20)
        #expect(capture.connections.first?.gaps == [Gap(from: .server, bytes: 10, beforePacket: 6)])
    }

    @Test func aHoleInsideAHeadCutsThatMessageAlone() throws {
        let capture = try analyze {
            $0.client("GET /1 HTTP/1.1\r\nHost: a.ex")
            $0.lostFromClient("ample\r\nCookie: x")
            $0.client("\r\n\r\n")
            $0.server(status(201))
            $0.client(get("2"))
            $0.server(status(202))
        }
        #expect(capture.summaries == ["GET /1 → 201", "GET /2 → 202"])
        #expect(capture.transactions.map { $0.request?.isHeadComplete } == [false, true])
    }

    @Test func aResponseCapturedBeforeItsRequestIsPairedAllTheSame() throws {
        var conversation = TestConversation()
        conversation.client(get("1"))
        conversation.server(status(201))
        conversation.client(get("2"))
        conversation.server(status(202))
        var segments = conversation.segments
        segments.swapAt(3, 4)
        segments.swapAt(5, 6)
        #expect(try analyze(segments).summaries == ["GET /1 → 201", "GET /2 → 202"])
    }

    @Test func oneSidedCapturesKeepWhatTheyHave() throws {
        var conversation = TestConversation()
        conversation.client(get("1"))
        conversation.server(status(201))
        conversation.client(get("2"))
        conversation.server(status(202))
        let requests = try analyze(conversation.segments.filter(\.fromClient))
        #expect(requests.summaries == ["GET /1 → –", "GET /2 → –"])
        #expect(requests.connections.first?.isOneSided == true)
        let responses = try analyze(conversation.segments.filter { !$0.fromClient })
        #expect(responses.summaries == ["– → 201", "– → 202"])
        #expect(responses.connections.first?.server.port == 80)
    }

    @Test func aCaptureThatBeginsInTheMiddleFindsTheClientByContent() throws {
        var conversation = TestConversation(clientPort: 70, handshake: false)
        conversation.server("rest of a body")
        conversation.client(get("1"))
        conversation.server(status(201))
        let capture = try analyze(conversation.segments)
        #expect(capture.summaries == ["GET /1 → 201"])
        #expect(capture.connections.first?.client.port == 70)
        #expect(capture.connections.first?.startSeen == false)
    }
}
