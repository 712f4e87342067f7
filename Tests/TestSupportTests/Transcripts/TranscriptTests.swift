import TestSupport
import Testing

struct TranscriptTests {
    private let start: Int64 = 1_767_603_600_000_000_000

    @Test("usual fields are added unless they are given or removed")
    func usualFields() throws {
        let transcript = try Transcript(
            """
            # a comment

            connection 1
            > GET /app
            > POST /app HTTP/1.0
              -User-Agent
              host: other.example
            < 401
              Date: now
            < HTTP/1.0 299 Fine by me
              -Content-Length
            """
        )
        let agent = "User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15\r\n"
        #expect(
            transcript.messages.map { String(decoding: $0.bytes, as: UTF8.self) } == [
                "GET /app HTTP/1.1\r\nHost: intranet.example\r\n\(agent)\r\n",
                "POST /app HTTP/1.0\r\nhost: other.example\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 401 Unauthorized\r\nDate: now\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.0 299 Fine by me\r\n\r\n",
            ]
        )
    }

    @Test(
        "Content-Length is where RFC 9110 §8.6 has it, and nowhere else",
        arguments: [
            ("< 204", nil), ("< 304", nil), ("< 100", nil), ("< 200", "0"), ("< 200\n  body 12", "12"),
            ("< 200\n  body 12 until close", nil), ("< 200\n  Transfer-Encoding: chunked\n  body 12", nil),
            ("< 200\n  Content-Length: 99\n  body 12", "99"), ("> CONNECT a:443\n< 200", nil),
            ("> CONNECT a:443\n< 407", "0"),
            ("> GET /", nil), ("> PUT /", "0"), ("> PUT /\n  body \"four\"", "4"),
        ]
    )
    func contentLength(text: String, expected: String?) throws {
        let message = try #require(try Transcript("connection 1\n\(text)").messages.last)
        let head = String(decoding: message.bytes.prefix(message.headLength), as: UTF8.self)
        #expect(head.hasSuffix("\r\n\r\n"))
        let lengths = head.split(separator: "\r\n").filter { $0.hasPrefix("Content-Length: ") }
        #expect(lengths == (expected.map { ["Content-Length: \($0)"] } ?? []))
    }

    @Test("a body in chunks is one chunk and the last chunk (RFC 9112 §7.1)")
    func chunked() throws {
        let message = try Transcript("connection 1\n< 200\n  Transfer-Encoding: chunked\n  body \"0123456789\"")
            .messages[0]
        #expect(
            String(decoding: message.bytes.dropFirst(message.headLength), as: UTF8.self)
                == "a\r\n0123456789\r\n0\r\n\r\n"
        )
    }

    @Test("a conversation lies in the capture packet by packet")
    func packets() throws {
        let transcript = try Transcript(
            """
            connection 1
            > ↓GET /
            wait 12 s
            < 200
            ↓closed by server
            end wait 30 s
            """
        )
        let capture = transcript.capture()
        let packets = readPackets(capture.bytes)
        #expect(capture.markedPackets == [4, 6])
        #expect(capture.packetCount == 9 && packets.count == 9)
        #expect(packets.dropLast().map(\.flags) == [0x02, 0x12, 0x10, 0x18, 0x18, 0x11, 0x11, 0x10])
        #expect(packets.dropLast().map(\.sourcePort) == [50101, 80, 50101, 50101, 80, 80, 50101, 80])
        #expect(
            packets.map { ($0.nanoseconds - start) / 1_000_000 } == [0, 10, 20, 30, 12030, 12040, 12050, 12060, 42060]
        )
        #expect(
            packets[3].payload == transcript.messages[0].bytes && packets[4].payload == transcript.messages[1].bytes
        )
        #expect(!packets[8].isTCP)
        for (packet, next) in zip(packets.dropLast(), packets.dropLast().dropFirst())
        where packet.sourcePort != next.sourcePort {
            let length = UInt32(packet.payload.count) + (packet.flags & 0x03 == 0 ? 0 : 1)
            #expect(next.acknowledgment == packet.sequence + length)
        }
    }

    @Test("a lost message leaves a gap as long as itself")
    func lostMessage() throws {
        let transcript = try Transcript("connection 1\n> GET /1\nlost >\n> GET /2\n> GET /3")
        let packets = readPackets(transcript.capture().bytes)
        #expect(packets.count == 5)
        let lengths = transcript.messages.map { UInt32($0.bytes.count) }
        #expect(packets[4].sequence - packets[3].sequence == lengths[0] + lengths[1])
        #expect(transcript.messages.map(\.isLost) == [false, true, false])
    }

    @Test("connections begin as their options say")
    func connections() throws {
        let transcript = try Transcript(
            """
            connection 1 without start
            > GET /
            connection 2 from 192.0.2.11 to 203.0.113.1:8080
            connection 3 refused
            connection 4 unanswered
            connection 5 only client
            > GET /
            < 200
            connection 1
            < 200
            reset by client
            """
        )
        let packets = readPackets(transcript.capture().bytes)
        #expect(packets.map(\.flags) == [0x18, 0x02, 0x12, 0x10, 0x02, 0x14, 0x02, 0x02, 0x10, 0x18, 0x18, 0x14])
        #expect(
            packets.map(\.sourcePort)
                == [50101, 50102, 8080, 50102, 50103, 80, 50104, 50105, 50105, 50105, 80, 50101]
        )
        #expect(transcript.messages.map(\.connection) == [1, 5, 5, 1])
    }

    @Test("over TLS a handshake comes first, and every message is in records (RFC 5246 §6.2, §7.4)")
    func overTLS() throws {
        let transcript = try Transcript("connection 1 to 198.51.100.20:443 over tls\n> ↓GET /\n< 200\n  body 20000")
        let capture = transcript.capture()
        let payloads = readPackets(capture.bytes).map(\.payload).filter { !$0.isEmpty }
        #expect(
            payloads.map { Self.recordTypes(in: $0) } == [
                [22], [22, 22, 22], [22, 20, 22], [20, 22], [23], [23, 23, 23],
            ]
        )
        #expect(payloads[0][5] == 1 && payloads[1][5] == 2)
        #expect(capture.markedPackets == [8])
        // The authentication code's 32 bytes follow what is said.
        #expect(payloads[4].dropFirst(5).dropLast(32) == transcript.messages[0].bytes[...])
    }

    private static func recordTypes(in bytes: [UInt8]) -> [UInt8] {
        var types: [UInt8] = []
        var position = 0
        while position + 5 <= bytes.count {
            types.append(bytes[position])
            position += 5 + Int(bytes[position + 3]) << 8 + Int(bytes[position + 4])
        }
        return types
    }

    @Test("over HTTP/2 each request has a stream, and its response finds it (RFC 9113 §3.4, §4.1)")
    func overHTTP2() throws {
        let transcript = try Transcript(
            "connection 1 over http2\n> GET /a\n> POST /b\n  body \"hi\"\n< 401\n< 200\n  body 3"
        )
        let bytes = transcript.messages.map(\.bytes)
        #expect(bytes[0].starts(with: Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)))
        #expect(Self.frames(in: Array(bytes[0].dropFirst(24))) == [[4, 0, 0], [1, 5, 1]])
        #expect(Self.frames(in: bytes[1]) == [[1, 4, 3], [0, 1, 3]])
        #expect(Self.frames(in: bytes[2]) == [[4, 0, 0], [1, 5, 1]])
        #expect(Self.frames(in: bytes[3]) == [[1, 4, 3], [0, 1, 3]])
        #expect(bytes[1].suffix(2) == Array("hi".utf8)[...])
    }

    /// Type, flags and stream of each frame.
    private static func frames(in bytes: [UInt8]) -> [[UInt8]] {
        var frames: [[UInt8]] = []
        var position = 0
        while position + 9 <= bytes.count {
            frames.append([bytes[position + 3], bytes[position + 4], bytes[position + 8]])
            position += 9 + Int(bytes[position + 1]) << 8 + Int(bytes[position + 2])
        }
        return frames
    }

    @Test("a message of more than an IPv4 packet is cut, and its mark stays with the head")
    func longMessage() throws {
        let transcript = try Transcript("connection 1\n> ↓POST /\n  body 150000")
        let capture = transcript.capture()
        #expect(capture.markedPackets == [4])
        #expect(readPackets(capture.bytes).flatMap(\.payload) == transcript.messages[0].bytes)
    }

    @Test(
        "a line that means nothing is refused by number and reason",
        arguments: [
            ("", 1, "the transcript is empty"),
            ("> GET /", 1, "a conversation starts with 'connection 1'"),
            ("connection 2", 1, "expected 'connection' and a number from 1 to 1"),
            ("connection 1\nconnection 1 refused", 2, "connection 1 is open already"),
            ("connection 1 sideways", 1, "a connection has no option 'sideways'"),
            ("connection 1 to example:80", 1, "expected an IPv4 address, and a port if need be: 192.0.2.10:80"),
            ("↓connection 1 without start", 1, "there is no SYN to mark"),
            ("connection 1 by App", 1, "expected a process as name/number"),
            ("connection 1 by App/5 for Other/none", 1, "expected a process as name/number"),
            ("connection 1 over wire", 1, "expected 'over raw', 'over tls', 'over tls1.3' or 'over http2'"),
            ("connection 1\nshout", 2, "'shout' is no step"),
            ("connection 1\n  Host: a", 2, "an indented line belongs to a message, and there is none above it"),
            ("connection 1\n> GET", 2, "a request is a method and a target"),
            ("connection 1\n< OK", 2, "a response is a status code of three digits"),
            ("connection 1\n> GET /\n  no field", 3, "expected 'Name: value', '-Name' or 'body'"),
            ("connection 1\n> GET /\n  body many", 3, "a body is a number of bytes, or a text in quotes"),
            ("connection 1\n> GET /\n  A: {FOO}", 3, "no token 'FOO'"),
            ("connection 1\n> GET /\n  A: {NEGOTIATE_MESSAGE", 3, "a brace is not closed"),
            ("connection 1\n> GET /\n  A: {NEGOTIATE_MESSAGE user=a}", 3, "NEGOTIATE_MESSAGE has no option 'user'"),
            ("connection 1\n> GET /\n  A: {SPNEGO init token={KRB-ERROR}}", 3, "KRB-ERROR needs code= with a number"),
            ("connection 1\nwait 5 days", 2, "a time is a whole number and ms, s, min or h"),
            ("connection 1\nclosed by client\n> GET /", 3, "connection 1 is closed on the side of the client"),
            ("connection 1\nhalf closed by server\n< 200", 3, "connection 1 is closed on the side of the server"),
            ("connection 1\nlost >\n> ↓GET /", 3, "a lost message has no packet to mark"),
            ("connection 1\nlost >", 2, "no message follows 'lost' on connection 1"),
            ("connection 1\nend wait 1 s\n> GET /", 3, "nothing follows 'end wait'"),
        ]
    )
    func refused(text: String, line: Int, reason: String) {
        let error = #expect(throws: TranscriptError.self) { _ = try Transcript(text) }
        #expect(error?.description == "line \(line): \(reason)")
    }

    @Test("a side that is sent more after its FIN can reset")
    func resetAfterHalfClose() throws {
        let capture = try Transcript("connection 1\nhalf closed by server\n> GET /\n↓reset by server").capture()
        #expect(readPackets(capture.bytes).suffix(3).map(\.flags) == [0x11, 0x18, 0x14])
        #expect(capture.markedPackets == [6])
    }
}
