import AuthScanBytes
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct KDCTrafficTests {
    /// Bytes that start as an AS-REQ does, and a KRB-ERROR.
    static let question: [UInt8] = [0x6A, 0x03, 1, 2, 3]
    static let answer: [UInt8] = [0x7E, 0x02, 9, 9]

    private func datagram(from source: UInt16, to destination: UInt16, _ payload: [UInt8]) -> [UInt8] {
        let header = join(bigEndian(source), bigEndian(destination), bigEndian(UInt16(8 + payload.count)), [0, 0])
        return TestPacket.ipv4(header + payload, protocol: 17)
    }

    private func records(_ frames: [[UInt8]], limits: Limits = Limits()) throws -> [KDCRecord] {
        try analyze([pcap(frames.map { ethernetHeader(0x0800) + $0 })], limits: limits).kdcRecords
    }

    private func records(_ write: (inout TestConversation) -> Void, limits: Limits = Limits()) throws -> [KDCRecord] {
        var conversation = TestConversation(serverPort: 88)
        write(&conversation)
        return try analyze(conversation.segments, limits: limits).kdcRecords
    }

    private func framed(_ message: [UInt8]) -> [UInt8] { bigEndian(UInt32(message.count)) + message }

    @Test("datagrams of port 88 are kept with their ends, and no others")
    func keepsDatagrams() throws {
        let records = try records([
            datagram(from: 50_000, to: 88, Self.question), datagram(from: 88, to: 50_000, Self.answer),
            datagram(from: 50_000, to: 89, Self.question), datagram(from: 50_000, to: 88, [1, 2, 3]),
            datagram(from: 50_000, to: 88, []),
        ])
        #expect(records.map(\.bytes) == [Secret(Self.question), Secret(Self.answer)])
        #expect(records.map(\.packet) == [1, 2] && records.map(\.isFromClient) == [true, false])
        #expect(records.map { "\($0.client)" }.first == "203.0.113.1:50000" && records.first?.server.port == 88)
        #expect(records.last?.client.port == 50_000 && records.allSatisfy { $0.connection == nil })
    }

    @Test("a datagram over IPv6, and one in fragments, are kept")
    func keepsFragments() throws {
        let whole = datagram(from: 50_000, to: 88, Self.question + [UInt8](repeating: 7, count: 40))
        let payload = Array(whole[20...])
        let parts = [
            TestPacket.ipv4(Array(payload[..<24]), protocol: 17, hasMore: true),
            TestPacket.ipv4(Array(payload[24...]), protocol: 17, position: 24),
        ]
        #expect(try records(parts).map(\.bytes) == [Secret(Array(payload[8...]))])
        let frame = ethernetHeader(0x86DD) + TestPacket.ipv6(payload, next: 17)
        let found = try analyze([pcap([frame])]).kdcRecords
        #expect(found.map(\.bytes) == [Secret(Array(payload[8...]))] && found.first?.client.address.isIPv4 == false)
    }

    @Test("what the snapshot length cut off is counted")
    func countsMissingBytes() throws {
        let frame = ethernetHeader(0x0800) + datagram(from: 50_000, to: 88, Self.question)
        let cut = Array(frame.dropLast(2))
        let found = try analyze([pcap([cut], originalLengths: [0: frame.count])]).kdcRecords
        #expect(found.map(\.missingBytes) == [2] && found.map(\.bytes) == [Secret(Array(Self.question.dropLast(2)))])
    }

    @Test("messages of a stream are cut at their lengths, however they are segmented", arguments: [1, 2, 3, 7, 100])
    func cutsStream(size: Int) throws {
        let stream = framed(Self.question) + framed(Self.question + [5])
        let records = try records { conversation in
            for start in stride(from: 0, to: stream.count, by: size) {
                conversation.client(bytes: Array(stream[start..<min(start + size, stream.count)]))
            }
            conversation.server(bytes: framed(Self.answer))
            conversation.close()
        }
        #expect(records.map(\.bytes) == [Self.question, Self.question + [5], Self.answer].map { Secret($0) })
        #expect(records.map(\.isFromClient) == [true, true, false] && records.allSatisfy { $0.connection == 1 })
        #expect(records.allSatisfy { $0.server.port == 88 && $0.missingBytes == 0 })
    }

    @Test("a connection whose start is missing is the client's who asks port 88")
    func knowsClient() throws {
        var conversation = TestConversation(clientPort: 70, serverPort: 88, handshake: false)
        conversation.server(bytes: framed(Self.answer))
        let capture = try analyze(conversation.segments)
        #expect(capture.kdcRecords.map(\.isFromClient) == [false])
        #expect(capture.connections.map(\.client.port) == [70])
        #expect(capture.connections.map(\.applicationProtocol) == [.kerberos])
    }

    @Test("HTTP on port 88 stays HTTP")
    func leavesHTTP() throws {
        var conversation = TestConversation(serverPort: 88)
        conversation.client("GET / HTTP/1.1\r\n\r\n")
        let capture = try analyze(conversation.segments)
        #expect(capture.kdcRecords.isEmpty && capture.transactions.count == 1)
    }

    @Test("a message that lacks bytes is kept as far as it goes, and the next one is found")
    func survivesGap() throws {
        let long = Self.question + [UInt8](repeating: 1, count: 30)
        let records = try records { conversation in
            conversation.client(bytes: Array(framed(long)[..<20]))
            conversation.lostFromClient(String(repeating: "x", count: 19))
            conversation.client(bytes: framed(Self.question))
            conversation.close()
        }
        #expect(records.map(\.missingBytes) == [19, 0] && records.last?.bytes == Secret(Self.question))
    }

    @Test("a stream that has lost its place goes on at a packet that starts with a message")
    func resynchronises() throws {
        let records = try records { conversation in
            conversation.client(bytes: [0xFF, 0xFF, 0xFF, 0xFF, 1, 2])
            conversation.client(bytes: [0, 0, 0, 5, 0x30, 1])
            conversation.client(bytes: framed(Self.question))
            conversation.close()
        }
        #expect(records.map(\.bytes) == [Secret(Self.question)])
    }

    @Test("an unfinished message at the end is kept as far as it goes")
    func keepsUnfinished() throws {
        let records = try records { conversation in
            conversation.client(bytes: Array(framed(Self.question)[..<7]))
        }
        #expect(records.map(\.missingBytes) == [2])
    }

    @Test("limits are kept and named")
    func keepsLimits() throws {
        var limits = Limits()
        limits.kdcMessages = 1
        limits.kdcMessageBytes = 5
        let frames = [
            datagram(from: 50_000, to: 88, Self.question + [0]), datagram(from: 50_000, to: 88, Self.question),
            datagram(from: 50_000, to: 88, Self.question),
        ].map { ethernetHeader(0x0800) + $0 }
        let capture = try analyze([pcap(frames)], limits: limits)
        #expect(capture.kdcRecords.map(\.packet) == [2])
        #expect(capture.limitsExceeded.map(\.leftOut) == [1, 1])
        #expect(capture.limitsExceeded.map(\.limit).allSatisfy { $0.contains("key distribution center") })
        let streamed = try records(
            { conversation in
                conversation.client(bytes: framed([0x6A] + [UInt8](repeating: 0, count: 9)))
                conversation.client(bytes: framed(Self.answer) + framed(Self.answer))
                conversation.close()
            },
            limits: limits
        )
        #expect(streamed.map(\.bytes) == [Secret(Self.answer)])
    }

    @Test("the bytes of all messages together are bounded")
    func boundsBytes() throws {
        var limits = Limits()
        limits.kdcBytes = 8
        let frame = ethernetHeader(0x0800) + datagram(from: 50_000, to: 88, Self.question)
        let capture = try analyze([pcap([frame, frame])], limits: limits)
        #expect(capture.kdcRecords.count == 1 && capture.limitsExceeded.map(\.value) == [8])
    }

    @Test("damaged streams give messages within the limits, and nothing else", arguments: 1...40)
    func survivesDamage(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var limits = Limits()
        limits.kdcMessageBytes = 200
        limits.kdcBytes = 2000
        var conversation = TestConversation(serverPort: 88)
        for _ in 0..<40 {
            let length = Int.random(in: 0...300, using: &generator)
            let content = (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            var message = framed([[0x6A, 0x7E, 0x30].randomElement(using: &generator) ?? 0x6A] + content)
            if Bool.random(using: &generator) {
                let place = Int.random(in: 0..<5, using: &generator)
                message[place] = UInt8.random(in: .min ... .max, using: &generator)
            }
            let cut = Int.random(in: 0...message.count, using: &generator)
            conversation.client(bytes: Array(message[..<cut]))
            if Int.random(in: 0..<6, using: &generator) == 0 {
                conversation.lostFromClient(String(repeating: "x", count: message.count - cut))
            } else {
                conversation.client(bytes: Array(message[cut...]))
            }
        }
        conversation.close()
        let capture = try analyze(conversation.segments, limits: limits)
        let sizes = capture.kdcRecords.map(\.bytes.byteCount)
        #expect(sizes.allSatisfy { $0 <= limits.kdcMessageBytes } && sizes.reduce(0, +) <= limits.kdcBytes + 204)
        #expect(capture.kdcRecords.map(\.packet) == capture.kdcRecords.map(\.packet).sorted())
        #expect(capture.kdcRecords.allSatisfy { $0.bytes.withRevealed { KDCTraffic.startsMessage($0[0]) } })
    }
}
