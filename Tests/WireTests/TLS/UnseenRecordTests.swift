import AuthScanBytes
import Testing

@testable import AuthScanWire

/// Records that are not opened because nobody looks at their content.
@Suite struct UnseenRecordTests {
    private static let recordings = TLSRecordings.sessions.merging(TLSRecordings.oldSessions) { first, _ in first }
        .merging(TLSRecordings.rfc8448) { first, _ in first }
        .merging(TLSRecordings.bodies) { _, second in second }

    private static func play(_ session: TLSRecordings.Session, size: Int, passable: Int) -> TLSConversation {
        var conversation = TLSConversation(keyLog: session.keyLog)
        for direction in conversation.session.directions { direction.passable = passable }
        for piece in session.pieces { conversation.send(piece.side, piece.bytes, size: size) }
        return conversation
    }

    @Test("what is no content is read all the same, and no content is lost", arguments: recordings.keys.sorted())
    func passesContentAlone(name: String) throws {
        let session = try #require(Self.recordings[name])
        for size in [Int.max, 100, 13, 1] {
            let read = Self.play(session, size: size, passable: 0)
            let passed = Self.play(session, size: size, passable: .max)
            for side in [Side.client, .server] {
                let bytes = read.text(side).utf8.count
                #expect(passed.text(side).utf8.count + (passed.unseen[side] ?? 0) == bytes)
                #expect(read.unseen[side] == nil)
            }
            let (facts, expected) = (passed.session.finish(), read.session.finish())
            #expect(facts.decryption == expected.decryption)
            #expect(facts.finishedPacket == expected.finishedPacket)
            #expect(facts.firstRequestPacket == expected.firstRequestPacket)
            #expect(facts.clientCertificate == expected.clientCertificate)
            #expect(facts.certificateRequest?.packet == expected.certificateRequest?.packet)
            #expect(facts.alerts.map(\.packet) == expected.alerts.map(\.packet))
            #expect(facts.alerts.map(\.description) == expected.alerts.map(\.description))
        }
    }

    @Test(
        "an AEAD alone says how much content there is",
        arguments: ["GCM-256", "ChaCha20-Poly1305", "CCM-8", "CBC", "NULL"]
    )
    func needsAnAEAD(name: String) throws {
        let session = try #require(TLSRecordings.sessions[name])
        let isAEAD = name != "CBC" && name != "NULL"
        let passed = Self.play(session, size: .max, passable: .max)
        #expect((passed.unseen[.server] ?? 0) == (isAEAD ? TLSRecordings.responses.utf8.count : 0))
    }

    @Test("content that does not fit into what may pass is opened")
    func opensWhatDoesNotFit() throws {
        let session = try #require(TLSRecordings.sessions["GCM-256"])
        let first = "HTTP/1.1 204 No\r\n\r\n".utf8.count
        #expect(Self.play(session, size: .max, passable: first).unseen[.server] == first)
        #expect(Self.play(session, size: .max, passable: first - 1).unseen[.server] == nil)
    }

    @Test("with wrong secrets nothing passes", arguments: ["GCM-256", "ChaCha20-Poly1305", "pre-shared-key-first"])
    func needsProof(name: String) throws {
        var session = try #require(TLSRecordings.sessions[name])
        session.keyLog = session.keyLog.map { String($0.dropLast(4)) + ($0.hasSuffix("0000") ? "1111" : "0000") }
        let passed = Self.play(session, size: .max, passable: .max)
        #expect(passed.unseen.isEmpty)
        #expect(passed.session.finish().decryption == .wrongSecrets)
    }

    @Test(
        "where bytes of such a record are lost, the next one proves how many records are missing",
        arguments: ["GCM-128", "ChaCha20-Poly1305", "CCM-8", "TLS-1.3"],
        [0, 3, 20, 30]
    )
    func countsOnBehindGaps(name: String, kept: Int) throws {
        let session = try #require(TLSRecordings.bodies[name])
        var conversation = TLSConversation(keyLog: session.keyLog)
        conversation.session.directions[1].passable = .max
        let server = session.pieces.indices.filter { session.pieces[$0].side == .server }
        let gap = server[server.count - 3]
        for (index, piece) in session.pieces.enumerated() {
            guard index == gap else {
                conversation.send(piece.side, piece.bytes)
                continue
            }
            conversation.send(.server, Array(piece.bytes.prefix(kept)))
            conversation.lose(.server, piece.bytes.count - kept)
        }
        // What follows the gap is opened: 40 bytes of a body. Then the rest may pass again.
        #expect(conversation.content[.server]?.last?.count == 40)
        #expect(conversation.lost[.server] == "HTTP/1.1 202 OK\r\n\r\n".utf8.count)
        #expect(conversation.session.finish().decryption == .complete)
    }
}
