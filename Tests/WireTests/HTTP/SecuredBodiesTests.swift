import AuthScanBytes
import Testing

@testable import AuthScanWire

/// Bodies inside TLS, whose records need not be opened.
@Suite struct SecuredBodiesTests {
    /// Plays a session in packets of a size; `change` may change the server's pieces of content, or take them away (`nil`).
    private static func play(
        _ name: String,
        size: Int = .max,
        change: (Int, inout [UInt8]?) -> Void = { _, _ in }
    ) throws -> WireCapture {
        let session = try #require(TLSRecordings.bodies[name])
        let server = session.pieces.indices.filter { session.pieces[$0].side == .server }.suffix(17)
        var conversation = TestConversation()
        for (index, piece) in session.pieces.enumerated() {
            var bytes: [UInt8]? = piece.bytes
            if let number = server.firstIndex(of: index) { change(number - server.startIndex, &bytes) }
            guard let bytes else {
                conversation.lostFromServer(String(repeating: "?", count: piece.bytes.count))
                continue
            }
            for start in stride(from: 0, to: bytes.count, by: min(size, bytes.count)) {
                let part = Array(bytes[start..<(start + min(size, bytes.count - start))])
                if piece.side == .client { conversation.client(bytes: part) } else { conversation.server(bytes: part) }
            }
            let lost = piece.bytes.count - bytes.count
            if lost > 0 { conversation.lostFromServer(String(repeating: "?", count: lost)) }
        }
        conversation.close()
        var log = KeyLog()
        log.receive(Array(session.keyLog.joined(separator: "\n").utf8))
        log.finish()
        var analysis = CaptureAnalysis()
        analysis.use(log, path: "keys")
        analysis.beginFile(path: "capture", compression: nil)
        try analysis.receive(pcap(conversation.segments.map(\.ethernet)))
        try analysis.endFile()
        return analysis.finish()
    }

    private static let all = ["GCM-128", "ChaCha20-Poly1305", "CCM-8", "CBC", "TLS-1.3"]
    private static let summaries = ["POST /1 → 200", "GET /2 → 204", "GET /3 → 201", "GET /4 → 400", "GET /5 → 202"]

    @Test("every message is found, and every body has its length", arguments: all, [Int.max, 30, 7, 1])
    func readsBodies(name: String, size: Int) throws {
        let capture = try Self.play(name, size: size)
        #expect(capture.summaries == Self.summaries)
        #expect(capture.transactions.map { $0.request?.bodyBytes } == [100, 0, 0, 0, 0])
        #expect(capture.transactions.map { $0.response?.bodyBytes } == [200, 0, 177, 80, 80])
        #expect(capture.transactions.map { $0.request?.isBodyComplete } == [true, true, true, true, true])
        #expect(capture.transactions.map { $0.response?.isBodyComplete } == [true, true, true, true, true])
        #expect(capture.transactions.map { $0.response?.certificateNotice } == [nil, nil, nil, .required, nil])
        #expect(capture.tlsConnections.map(\.decryption) == [.complete])
        #expect(capture.problems.isEmpty)
    }

    @Test("a body ends with the packet of its last record", arguments: all)
    func notesTheLastPacket(name: String) throws {
        let pieces = try #require(TLSRecordings.bodies[name]).pieces
        let server = Array(pieces.indices.filter { pieces[$0].side == .server }.suffix(17))
        let packets = try Self.play(name).transactions.map { $0.response?.evidence.lastPacket }
        // Three packets open the connection, and packets are counted from 1.
        #expect(packets == [5, 5, 10, 13, 16].map { 3 + server[$0] + 1 })
    }

    @Test("records inside a body are not opened", arguments: all, [2, 4, 6, 9, 13, 16])
    func passesOver(name: String, number: Int) throws {
        let capture = try Self.play(name) { if $0 == number { $1?[20] ^= 1 } }
        // Block ciphers leave the length of the content open.
        #expect(capture.tlsConnections.map(\.decryption) == [name == "CBC" ? .partial : .complete])
        if name != "CBC" { #expect(capture.summaries == Self.summaries) }
    }

    @Test(
        "what begins or ends a body is opened, and so is the page of a refusal",
        arguments: all,
        [0, 5, 8, 10, 12, 14]
    )
    func opensTheRest(name: String, number: Int) throws {
        let capture = try Self.play(name) { if $0 == number { $1?[20] ^= 1 } }
        #expect(capture.tlsConnections.map(\.decryption) == [.partial])
    }

    @Test(
        "a gap in such a record makes the body incomplete, and loses no message behind it",
        arguments: ["GCM-128", "ChaCha20-Poly1305", "CCM-8", "TLS-1.3"],
        [0, 4, 20, 50]
    )
    func survivesGaps(name: String, kept: Int) throws {
        let capture = try Self.play(name) { number, bytes in
            if number == 2 { bytes = kept == 0 ? nil : bytes.map { Array($0.prefix(kept)) } }
        }
        #expect(capture.summaries == Self.summaries)
        #expect(capture.transactions.map { $0.response?.isBodyComplete } == [false, true, true, true, true])
    }
}
