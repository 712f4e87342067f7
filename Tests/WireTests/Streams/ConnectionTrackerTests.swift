import AuthScanBytes
import Testing

@testable import AuthScanWire

private let get = "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"
private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"

/// Connections: where they begin and end, and what of them is missing.
@Suite struct ConnectionTrackerTests {
    @Test func aClosedConnectionStatesItsFacts() throws {
        let capture = try analyze {
            $0.client(get); $0.server(ok); $0.close()
        }
        let connection = try #require(capture.connections.first)
        #expect(connection.client.description == "192.0.2.1:40000" && connection.server.description == "192.0.2.80:80")
        #expect(connection.startSeen && connection.isAccepted && connection.isComplete && !connection.isOneSided)
        #expect(connection.closedBy == .client && connection.closePacket == 6 && connection.lastPacket == 8)
        #expect(connection.bytesFromClient == get.utf8.count && connection.bytesFromServer == ok.utf8.count)
        #expect(connection.closeTime == Timestamp(nanoseconds: 1_700_000_000_005_000_000))
    }

    @Test(arguments: [UInt32.max - 10, .max, 0]) func sequenceNumbersWrapAround(start: UInt32) throws {
        var conversation = TestConversation(clientStart: start, serverStart: start &- 5)
        conversation.client("GET / HT")
        conversation.client("TP/1.1\r\n\r\n")
        conversation.server(ok)
        conversation.client(get)
        conversation.server(ok)
        conversation.close()
        var segments = conversation.segments
        segments.swapAt(3, 4)
        let capture = try analyze(segments)
        #expect(capture.transactions.count == 2 && capture.connections.first?.gaps.isEmpty == true)
        #expect(capture.connections.first?.closedBy == .client)
    }

    @Test func theFirstCopyOfAByteWins() throws {
        var conversation = TestConversation()
        let start = Array("GET /aa".utf8)
        conversation.client(bytes: start)
        conversation.client(bytes: Array("bb HTTP/1.1\r\n\r\n".utf8))
        var segments = conversation.segments
        // A copy of the second segment with other bytes comes first, and one of both with others last.
        var early = segments[4]
        early.payload = Array("cc".utf8)
        var late = segments[3]
        late.payload = Array("GET /ddee HTTP/1.1\r\n\r\n".utf8)
        segments.insert(early, at: 3)
        segments.append(late)
        #expect(try analyze(segments).summaries == ["GET /aacc → –"])
    }

    @Test func aNewSYNAfterDataIsAnotherConnection() throws {
        var first = TestConversation()
        first.client(get)
        var second = TestConversation(clientStart: 77_000)
        second.client(get)
        second.server(ok)
        let capture = try analyze(first.segments + second.segments)
        #expect(capture.connections.count == 2 && capture.summaries == ["GET / → –", "GET / → 200"])
        #expect(capture.transactions.map(\.connection) == [1, 2])
    }

    @Test func theSameSYNAgainIsNone() throws {
        var conversation = TestConversation()
        conversation.client(get)
        let segments = conversation.segments
        #expect(try analyze([segments[0]] + segments + [segments[0], segments[1]]).connections.count == 1)
    }

    @Test func aRefusedConnectionIsNotAccepted() throws {
        var conversation = TestConversation(handshake: false)
        conversation.client("", flags: TestSegment.syn)
        conversation.reset(fromClient: false)
        let connection = try #require(try analyze(conversation.segments).connections.first)
        #expect(!connection.isAccepted && connection.closedBy == .serverReset && connection.client.port == 40_000)
    }

    @Test func dataInSYNFINAndRSTCount() throws {
        var conversation = TestConversation(handshake: false)
        conversation.client("GET / HTTP/1.1\r\n", flags: TestSegment.syn)
        conversation.server("", flags: TestSegment.syn | TestSegment.ack)
        conversation.client("\r\n", flags: TestSegment.fin | TestSegment.ack)
        conversation.server(ok, flags: TestSegment.rst | TestSegment.ack)
        let capture = try analyze(conversation.segments)
        #expect(capture.summaries == ["GET / → 200"])
        #expect(capture.connections.first?.closedBy == .client)
        #expect(capture.connections.first?.gaps.isEmpty == true)
    }

    @Test func keepAliveProbesChangeNothing() throws {
        var conversation = TestConversation(handshake: false)
        var probe = TestSegment(sequence: 999, acknowledgement: 9000, payload: [0])
        conversation.client(get)
        conversation.server(ok)
        let capture = try analyze([probe] + conversation.segments + [probe])
        #expect(capture.summaries == ["GET / → 200"] && capture.connections.first?.gaps.isEmpty == true)
        probe.payload = []
        #expect(try analyze([probe] + conversation.segments).connections.first?.gaps.isEmpty == true)
    }

    @Test func anAcknowledgedHoleIsAGap() throws {
        var conversation = TestConversation()
        conversation.client("GET / HTTP/1.1\r\nCookie: ")
        conversation.lostFromClient("secret")
        conversation.client("\r\n\r\n")
        conversation.server(ok)
        let capture = try analyze(conversation.segments)
        #expect(capture.connections.first?.gaps == [Gap(from: .client, bytes: 6, beforePacket: 5)])
        #expect(capture.connections.first?.isComplete == false)
    }

    @Test func aHoleAtTheEndIsAGapAsWell() throws {
        let lost = try analyze {
            $0.server("HTTP/1.1 200 OK\r\n\r\n")
            $0.lostFromServer("tail")
            $0.finish(fromClient: false)
            $0.acknowledge(fromClient: true)
        }
        #expect(lost.connections.first?.gaps.map(\.bytes) == [4])
        let unacknowledged = try analyze {
            $0.client("GET / HTTP/1.1\r\n")
            $0.lostFromClient("x")
            $0.client("\r\n\r\n")
        }
        #expect(unacknowledged.connections.first?.gaps.map(\.bytes) == [1])
    }

    @Test func whatWaitsIsBoundedInBytesAndPieces() throws {
        var limits = Limits()
        limits.pendingBytesPerConnection = 1000
        var conversation = TestConversation()
        conversation.lostFromClient("x")
        for _ in 0..<20 { conversation.client(bytes: [UInt8](repeating: 0, count: 100)) }
        conversation.client(get)
        let capture = try analyze(conversation.segments, limits: limits)
        #expect(capture.connections.first?.gaps == [Gap(from: .client, bytes: 1, beforePacket: 4)])
        #expect(capture.summaries == ["GET / → –"])
        var pieces = TestConversation()
        for _ in 0..<3000 {
            pieces.lostFromClient("x")
            pieces.client("y")
        }
        #expect(try analyze(pieces.segments).connections.first?.gaps.count == 3000)
    }

    @Test func connectionsBeyondTheLimitAreCounted() throws {
        var limits = Limits()
        limits.connections = 2
        let segments = (0..<5).flatMap { TestConversation(clientPort: 40_000 + UInt16($0)).segments }
        let capture = try analyze(segments, limits: limits)
        #expect(capture.connections.count == 2)
        #expect(capture.limitsExceeded == [LimitExceeded(limit: "connections", value: 2, leftOut: 3)])
    }

    @Test func aConnectionGoesOnInTheNextFile() throws {
        var conversation = TestConversation()
        conversation.client(get)
        conversation.server(ok)
        let frames = conversation.segments.map(\.ethernet)
        let capture = try analyze([pcap(Array(frames[..<4])), pcap(Array(frames[4...]))])
        #expect(capture.summaries == ["GET / → 200"] && capture.files.map(\.packets) == [4, 1])
        #expect(capture.transactions.first?.response?.evidence.firstPacket == 5)
    }

    @Test func jumpingSequenceNumbersAreNoCrash() throws {
        var segments: [TestSegment] = []
        for jump in [0, 1 << 31, 1, .max, 1 << 30, 3 << 30, (1 << 31) - 1] as [UInt32] {
            segments.append(TestSegment(sequence: jump, acknowledgement: jump, payload: Array(get.utf8)))
            segments.append(TestSegment(fromClient: false, flags: 0x11, sequence: jump, acknowledgement: jump &* 3))
            segments.append(TestSegment(flags: 0x17, sequence: jump, payload: [1]))
        }
        #expect(try !analyze(segments).connections.isEmpty)
    }
}
