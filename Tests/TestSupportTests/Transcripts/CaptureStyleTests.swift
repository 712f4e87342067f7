import TestSupport
import Testing

struct CaptureStyleTests {
    private let text = """
        ↓connection 1
        > ↓POST /app
          Authorization: NTLM {NEGOTIATE_MESSAGE}
          body 300
        < 401
          WWW-Authenticate: NTLM {CHALLENGE_MESSAGE}
          body 2000
        connection 2
        > GET /other
        connection 1
        > GET /app
          Authorization: NTLM {AUTHENTICATE_MESSAGE}
        connection 2
        < ↓403
          body 500
        connection 1
        < 200
        ↓closed by server
        """

    @Test(
        "no style changes what a side sends, or which packet completes a marked head",
        arguments: 0..<50 as Range<UInt64>
    )
    func styleKeepsTheConversation(seed: UInt64) throws {
        let transcript = try Transcript(text)
        for (name, style) in CaptureStyle.all(seed: seed) {
            let capture = transcript.capture(style)
            let packets = readPackets(capture.bytes)
            #expect(packets.count == capture.packetCount)
            #expect(packets.map(\.nanoseconds) == packets.map(\.nanoseconds).sorted(), "\(name)")

            var expected: [Int] = [try #require(packets.firstIndex { $0.isTCP && $0.destinationPort == 80 }) + 1]
            for (connection, side, isServer) in [(1, Transcript.Side.client, false), (2, .server, true)] {
                let message = try #require(
                    transcript.messages.first { $0.connection == connection && $0.side == side && $0.isMarked }
                )
                let port = 50100 + connection
                expected.append(try #require(completion(of: message, port: port, isServer: isServer, in: packets)))
            }
            expected.append(
                try #require(packets.firstIndex { $0.isTCP && $0.flags & 1 != 0 && $0.sourcePort == 80 }) + 1
            )
            #expect(capture.markedPackets == expected, "\(name)")
            for connection in 1...2 {
                for side in [Transcript.Side.client, .server] {
                    let sent = transcript.messages.filter { $0.connection == connection && $0.side == side }
                    let stream = stream(port: 50100 + connection, isServer: side == .server, in: packets)
                    #expect(stream == sent.flatMap(\.bytes), "\(name)")
                }
            }
        }
    }

    @Test("each style does what it is named for", arguments: 0..<20 as Range<UInt64>)
    func stylesBite(seed: UInt64) throws {
        let transcript = try Transcript(text)
        let plain = readPackets(transcript.capture().bytes)
        let cut = readPackets(transcript.capture(.resegmented(seed: seed)).bytes)
        #expect(cut.count >= plain.count + 2 * transcript.messages.count)
        let repeated = readPackets(transcript.capture(.retransmitted(seed: seed)).bytes)
        #expect(repeated.count >= cut.count + transcript.messages.count)
        let reordered = readPackets(transcript.capture(.reordered(seed: seed)).bytes)
        #expect(reordered.map(\.payload) != cut.map(\.payload))
        #expect(Set(reordered.map(\.payload)) == Set(cut.map(\.payload)))
        #expect(readPackets(transcript.capture(.ipv6).bytes).allSatisfy { $0.etherType == 0x86DD })
        #expect(readPackets(transcript.capture(.vlan).bytes).allSatisfy { $0.frame[12...13] == [0x81, 0] })
        #expect(
            readPackets(transcript.capture(.afterUnrelatedTraffic).bytes).suffix(plain.count).map(\.payload)
                == plain.map(\.payload)
        )
        #expect(readPackets(transcript.capture(.wrapping).bytes).contains { $0.sequence < 5000 })
        #expect(transcript.capture(.nanosecond).bytes.prefix(4) == [0x4D, 0x3C, 0xB2, 0xA1])
        #expect(transcript.capture(.bigEndian).bytes.prefix(4) == [0xA1, 0xB2, 0xC3, 0xD4])
        #expect(transcript.capture(.pcapng).bytes.prefix(4) == [0x0A, 0x0D, 0x0D, 0x0A])
        #expect(transcript.capture(.resegmented(seed: seed)) == transcript.capture(.resegmented(seed: seed)))
    }

    /// The offset of each segment in its stream with its index, from the SYN on.
    private func pieces(
        port: Int,
        isServer: Bool,
        in packets: [CapturedPacket]
    ) -> [(index: Int, offset: Int, payload: [UInt8])] {
        var first: UInt32?
        var pieces: [(index: Int, offset: Int, payload: [UInt8])] = []
        for (index, packet) in packets.enumerated()
        where packet.isTCP && (isServer ? packet.destinationPort : packet.sourcePort) == port {
            if packet.flags & 2 != 0 { first = packet.sequence &+ 1 }
            guard let first, !packet.payload.isEmpty else { continue }
            pieces.append((index, Int(packet.sequence &- first), packet.payload))
        }
        return pieces
    }

    private func stream(port: Int, isServer: Bool, in packets: [CapturedPacket]) -> [UInt8] {
        var bytes: [UInt8?] = []
        for piece in pieces(port: port, isServer: isServer, in: packets) {
            let missing = piece.offset + piece.payload.count - bytes.count
            if missing > 0 { bytes += [UInt8?](repeating: nil, count: missing) }
            for (index, byte) in piece.payload.enumerated() { bytes[piece.offset + index] = byte }
        }
        return bytes.compactMap { $0 }
    }

    /// The packet, counted from 1, with which all of the head of a stream's first message has been captured.
    private func completion(
        of message: Transcript.Message,
        port: Int,
        isServer: Bool,
        in packets: [CapturedPacket]
    ) -> Int? {
        var missing = Set(0..<message.headLength)
        for piece in pieces(port: port, isServer: isServer, in: packets) {
            missing.subtract(piece.offset..<(piece.offset + piece.payload.count))
            if missing.isEmpty { return piece.index + 1 }
        }
        return nil
    }
}
