import AuthScanBytes
import AuthScanWire

extension FuzzTarget {
    /// Any conversation that is TLS in parts gives facts whose places are real, with a key log as without.
    ///
    /// The input is a script as for `httpStream`; the key log has the secrets of RFC 8448 §3 and §4, and those of old sessions: SSL 3.0
    /// with RC4, export strength in SSL 3.0 and TLS 1.0, and IDEA.
    public static let tls = FuzzTarget(name: "TLS") { input in
        let conversation = Conversation(script: input)
        let opened = analyze(conversation, keyLog: secrets)
        let closed = analyze(conversation, keyLog: "")
        precondition(opened.tlsConnections.count >= closed.tlsConnections.count, "secrets hide a connection")
        for capture in [opened, closed] { check(capture) }
    }

    /// Any HTTP/2 connection gives transactions whose places are real.
    ///
    /// The input is a script as for `httpStream`, behind the connection preface.
    public static let http2 = FuzzTarget(name: "HTTP2") { input in
        let preface: [UInt8] = [0, 24] + Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
        check(analyze(Conversation(script: preface + input), keyLog: ""))
    }

    /// Any bytes in the place of a certificate give a certificate or none, and none of its times is out of order by a trap.
    public static let certificate = FuzzTarget(name: "Certificate") { input in
        let encoded = Array(input.prefix(4096))
        func length(_ count: Int) -> [UInt8] { [0, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)] }
        let body = length(encoded.count + 3) + length(encoded.count) + encoded
        let hello: [UInt8] = [2, 0, 0, 38, 3, 3] + [UInt8](repeating: 7, count: 32) + [0, 0, 0x9C, 0]
        let messages = hello + [11] + length(body.count) + body
        var conversation = Conversation(script: [])
        conversation.perform(1, [22, 3, 3] + length(messages.count).dropFirst() + messages)
        let capture = analyze(conversation, keyLog: "")
        for certificate in capture.tlsConnections.flatMap(\.serverCertificates) {
            precondition(certificate.fingerprint.count == 32, "a certificate without a fingerprint")
            _ = certificate.covers(host: "a.example")
            _ = certificate.isValid(at: Timestamp(nanoseconds: 0))
        }
        check(capture)
    }

    /// Any bytes in the place of a key log are read alike in blocks of any size.
    public static let keyLog = FuzzTarget(name: "KeyLog") { input in
        let whole = log(input, inPiecesOf: .max)
        for size in [1, 7, 64] {
            let pieces = log(input, inPiecesOf: size)
            precondition(
                whole.sessions == pieces.sessions && whole.foreignLines == pieces.foreignLines
                    && whole.firstForeignLine == pieces.firstForeignLine
                    && whole.endsInsideLine == pieces.endsInsideLine,
                "the block size changes what a key log holds"
            )
        }
    }

    private static func log(_ bytes: [UInt8], inPiecesOf size: Int) -> KeyLog {
        var log = KeyLog()
        var start = 0
        while start < bytes.count {
            let end = start + min(size, bytes.count - start)
            log.receive(Array(bytes[start..<end]))
            start = end
        }
        log.finish()
        return log
    }

    private static func analyze(_ conversation: Conversation, keyLog text: String) -> WireCapture {
        // Room for many transactions costs more than to read the few that an input holds.
        var limits = Limits()
        limits.transactions = 1 << 10
        limits.connections = 1 << 6
        var analysis = CaptureAnalysis(limits: limits)
        analysis.use(log(Array(text.utf8), inPiecesOf: .max), path: "keys")
        analysis.beginFile(path: "input", compression: nil)
        do throws(CaptureError) {
            try analysis.receive(conversation.file)
            try analysis.endFile()
        } catch {
            preconditionFailure("a well-formed capture was refused")
        }
        return analysis.finish()
    }

    private static func check(_ capture: WireCapture) {
        let packets = 1...max(1, capture.packets)
        for connection in capture.tlsConnections {
            precondition(packets.contains(connection.firstPacket), "a TLS connection lies outside its capture")
            for alert in connection.alerts {
                precondition(packets.contains(alert.packet), "an alert lies outside its capture")
            }
        }
        for reset in capture.http2Connections.flatMap(\.resets) {
            precondition(packets.contains(reset.packet), "a reset lies outside its capture")
        }
        for transaction in capture.transactions {
            for evidence in [transaction.request?.evidence, transaction.response?.evidence].compactMap({ $0 }) {
                precondition(
                    packets.contains(evidence.firstPacket) && packets.contains(evidence.headPacket)
                        && packets.contains(evidence.lastPacket),
                    "a message lies outside its capture"
                )
            }
        }
    }

    private static let secrets = """
        SERVER_HANDSHAKE_TRAFFIC_SECRET cb34ecb1e78163ba1c38c6dacb196a6dffa21a8d9912ec18a2ef6283024dece7 \
        b67b7d690cc16c4e75e54213cb2d37b4e9c912bcded9105d42befd59d391ad38
        CLIENT_HANDSHAKE_TRAFFIC_SECRET cb34ecb1e78163ba1c38c6dacb196a6dffa21a8d9912ec18a2ef6283024dece7 \
        b3eddb126e067f35a780b3abf45e2d8f3b1a950738f52e9600746a0e27a55a21
        SERVER_TRAFFIC_SECRET_0 cb34ecb1e78163ba1c38c6dacb196a6dffa21a8d9912ec18a2ef6283024dece7 \
        a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643
        CLIENT_TRAFFIC_SECRET_0 cb34ecb1e78163ba1c38c6dacb196a6dffa21a8d9912ec18a2ef6283024dece7 \
        9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5
        CLIENT_EARLY_TRAFFIC_SECRET 1bc3ceb6bbe39cff938355b5a50adb6db21b7a6af649d7b4bc419d7876487d95 \
        3fbbe6a60deb66c30a32795aba0eff7eaa10105586e7be5c09678d63b6caab62
        CLIENT_HANDSHAKE_TRAFFIC_SECRET 1bc3ceb6bbe39cff938355b5a50adb6db21b7a6af649d7b4bc419d7876487d95 \
        2faac08f851d35fea3604fcb4de82dc62c9b164a70974d0462e27f1ab278700f
        SERVER_HANDSHAKE_TRAFFIC_SECRET 1bc3ceb6bbe39cff938355b5a50adb6db21b7a6af649d7b4bc419d7876487d95 \
        fe927ae271312e8bf0275b581c54eef020450dc4ecffaa05a1a35d27518e7803
        CLIENT_TRAFFIC_SECRET_0 1bc3ceb6bbe39cff938355b5a50adb6db21b7a6af649d7b4bc419d7876487d95 \
        2abbf2b8e381d23dbebe1dd2a7d16a8bf484cb4950d23fb7fb7fa8547062d9a1
        SERVER_TRAFFIC_SECRET_0 1bc3ceb6bbe39cff938355b5a50adb6db21b7a6af649d7b4bc419d7876487d95 \
        cc21f1bf8feb7dd5fa505bd9c4b468a9984d554a993dc49e6d285598fb672691
        CLIENT_RANDOM 7d173deba7a57db30b07f6cb188da27a1410b6b86f3cee59cdb18a27ed84fb4a \
        661e9e0e1324bab7317793eeca41af2ba7c987bb0e7c7f1859253f59e8763210aa17e6d0fe4e801db58e3b99fc88f304
        CLIENT_RANDOM d566b6f63c12f3905ed2dd0dba7a26d6aaa75369af57fa40b916f3f835779543 \
        8f39fe55b234152ff0b0baee8f127c86a546a7ff3f7bb19299d84f6dc1f0f4bbba308f408a041b5ed2eb0a0cdb529aea
        CLIENT_RANDOM 849f5ba5b1bdb1563e37214f8a0f1b38dbd2f7ca88a0a0ce73eeb3d705cbece9 \
        78611cc45670d50b439748dd4ca2321e40507392485006700d51c3febd804cd09bb5fce78b15fa31f808749842caaf1e
        CLIENT_RANDOM 3ee4923107408b0e63b637edfce6fe1f2bec9305e515f32684822b08e46b0024 \
        b04d70731fba8344fa131f4d3436d25773755d55d19141cc473b351a92058d64c912c66f430c15c1a3c4a19bf2b18c60
        """
}
