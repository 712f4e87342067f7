import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

/// Records of which nothing but the headers are looked at.
@Suite struct PassedRecordsTests {
    private static let recordings = TLSRecordings.sessions.merging(TLSRecordings.bodies) { first, _ in first }

    /// A record of application data that nothing opens.
    private static func record(_ count: Int) -> [UInt8] {
        [23, 3, 3, UInt8(count >> 8), UInt8(count & 0xFF)] + (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    }

    /// A recorded connection without its secrets, and behind it opaque records of some lengths, each side in turn.
    private static func segments(_ name: String, lengths: [Int], size: Int, without lost: Int? = nil) throws
        -> [TestSegment]
    {
        var conversation = TestConversation()
        for piece in try #require(recordings[name]).pieces {
            add(piece.bytes, from: piece.side, size, to: &conversation)
        }
        for (index, length) in lengths.enumerated() {
            add(record(length), from: index % 2 == 0 ? .client : .server, size, to: &conversation)
        }
        conversation.close()
        var segments = conversation.segments
        if let lost { segments.remove(at: segments.count - 1 - lost % (segments.count / 2)) }
        return segments
    }

    private static func add(_ bytes: [UInt8], from side: Side, _ size: Int, to conversation: inout TestConversation) {
        for start in stride(from: 0, to: bytes.count, by: size) {
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            if side == .client { conversation.client(bytes: piece) } else { conversation.server(bytes: piece) }
        }
    }

    /// What a capture says of its TLS, packets aside.
    private static func facts(_ segments: [TestSegment]) throws -> [String] {
        let capture = try analyze([pcap(segments.map(\.ethernet))])
        return capture.tlsConnections.map { tls in
            "\(tls.decryption) \(tls.alerts.map(\.description)) \(tls.hasServerRecords) \(tls.isDecrypted)"
                + " \(String(describing: tls.renegotiation?.isFollowedByContent)) \(capture.transactions.count)"
        }
    }

    @Test(
        "a connection is the same whether its records pass by their headers or byte by byte",
        arguments: recordings.keys.sorted()
    )
    func tellsTheSame(name: String) throws {
        let lengths = [700, 1500, 19, 900, 500, 40, 24, 300, 200, 400]
        let byBytes = try Self.facts(try Self.segments(name, lengths: lengths, size: 1))
        for size in [1460, 20_000, 300, 7] {
            #expect(try Self.facts(try Self.segments(name, lengths: lengths, size: size)) == byBytes)
        }
    }

    @Test("what passes is counted, also behind a lost packet", arguments: 0..<20)
    func goesOnBehindGaps(lost: Int) throws {
        let segments = try Self.segments(
            "GCM-256",
            lengths: [Int](repeating: 4000, count: 20),
            size: 1460,
            without: lost
        )
        let capture = try analyze([pcap(segments.map(\.ethernet))])
        #expect(capture.tlsConnections.map(\.decryption) == [.noSecrets])
        #expect(capture.connections.first?.isEncrypted == true)
        #expect(capture.transactions.isEmpty)
    }

    @Test("a direction settles once its records can tell nothing more, and short ones never pass")
    func settles() throws {
        let session = try #require(TLSRecordings.sessions["GCM-256"])
        var conversation = TLSConversation()
        let early = session.pieces.prefix { $0.bytes.first != 23 }
        for piece in early { conversation.send(piece.side, piece.bytes) }
        // Where the request is, and that the server answers, is yet to be noted.
        #expect(!conversation.session.isSettled(0))
        conversation.send(.client, Self.record(600))
        conversation.send(.server, Self.record(600))
        #expect(conversation.session.isSettled(0) && conversation.session.isSettled(1))
        conversation.send(.server, Array(Self.record(600).prefix(100)))
        #expect(!conversation.session.isSettled(1))

        var passed = PassedRecords()
        let bytes = Self.record(600) + Self.record(129) + Self.record(100)
        let (rest, position) = withBytes(of: bytes) { span in
            var position = 0
            return (passed.pass(span, at: &position), position)
        }
        #expect(rest == 0 && position == 605 + 134 && passed.count == 2 && passed.lostRecords == 0)
        let (more, end) = withBytes(of: Array(Self.record(600).prefix(50))) { span in
            var position = 0
            return (passed.pass(span, at: &position), position)
        }
        #expect(more == 555 && end == 50 && passed.count == 3 && passed.lostRecords == 1 && passed.lostBytes == 555)
    }

    @Test(
        "with secrets nothing passes unseen that could be opened",
        arguments: ["GCM-256", "TLS-1.3-certificate-sent", "CBC"]
    )
    func opensWhatItCan(name: String) throws {
        let session = try #require(TLSRecordings.sessions[name])
        var conversation = TLSConversation(keyLog: session.keyLog)
        for piece in session.pieces {
            conversation.send(piece.side, piece.bytes)
            #expect(!conversation.session.isSettled(0) || !conversation.session.directions[0].mayOpen)
            #expect(!conversation.session.isSettled(1) || !conversation.session.directions[1].mayOpen)
        }
        #expect(conversation.session.finish().decryption == .complete)
    }
}
