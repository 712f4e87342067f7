import AuthScanBytes
import Testing

@testable import AuthScanWire

@Suite struct SecuredStreamsTests {
    private static func play(
        _ name: String,
        keyLog: [String]? = nil,
        privateKey: [UInt8]? = nil,
        behind prelude: (inout TestConversation) -> Void = { _ in }
    ) throws -> WireCapture {
        let session = try #require(TLSRecordings.sessions[name])
        var conversation = TestConversation()
        prelude(&conversation)
        for piece in session.pieces {
            if piece.side == .client {
                conversation.client(bytes: piece.bytes)
            } else {
                conversation.server(bytes: piece.bytes)
            }
        }
        conversation.close()
        var log = KeyLog()
        log.receive(Array((keyLog ?? session.keyLog).joined(separator: "\n").utf8))
        log.finish()
        var analysis = CaptureAnalysis()
        if let privateKey {
            let isKey = analysis.use(privateKey: privateKey, path: "server.key")
            #expect(isKey)
        } else {
            analysis.use(log, path: "keys")
        }
        analysis.beginFile(path: "capture", compression: nil)
        try analysis.receive(pcap(conversation.segments.map(\.ethernet)))
        try analysis.endFile()
        return analysis.finish()
    }

    @Test("content is read as a clear stream is, and known to have been protected")
    func readsInside() throws {
        let capture = try Self.play("TLS-1.3-certificate-sent")
        #expect(capture.summaries == ["GET / → 204", "GET /2 → 200"])
        #expect(capture.transactions.map(\.isSecure) == [true, true])
        #expect(capture.transactions.map(\.isPairingCertain) == [true, true])
        #expect(capture.transactions.map { $0.response?.isBodyComplete } == [true, true])
        #expect(capture.connections.first?.isEncrypted == false)
        #expect(capture.connections.first?.applicationProtocol == .http11)
        #expect(capture.tlsConnections.map(\.isDecrypted) == [true])
        #expect(capture.problems.isEmpty)
    }

    @Test("TLS inside a tunnel belongs to the tunnel's server")
    func readsInsideTunnels() throws {
        let capture = try Self.play("GCM-256") {
            $0.client("CONNECT intranet.example:443 HTTP/1.1\r\n\r\n")
            $0.server("HTTP/1.1 200 OK\r\n\r\n")
        }
        #expect(capture.summaries == ["CONNECT intranet.example:443 → 200", "GET / → 204", "GET /2 → 200"])
        #expect(capture.transactions.map(\.isSecure) == [false, true, true])
        #expect(capture.transactions.map(\.tunnel) == [nil, "intranet.example:443", "intranet.example:443"])
        #expect(capture.tlsConnections.map(\.tunnel) == ["intranet.example:443"])
    }

    @Test("TLS behind another protocol's greeting is found")
    func readsBehindAGreeting() throws {
        let capture = try Self.play("CCM") {
            $0.server("220 mail.example ready\r\n")
            $0.client("STARTTLS\r\n")
            $0.server("220 go ahead\r\n")
        }
        #expect(capture.tlsConnections.map(\.isDecrypted) == [true])
        #expect(capture.summaries == ["GET / → 204", "GET /2 → 200"])
    }

    /// RFC 2817 §3.
    @Test func readsBehindAnUpgrade() throws {
        let capture = try Self.play("CCM") {
            $0.client("OPTIONS * HTTP/1.1\r\nHost: a.example\r\nUpgrade: TLS/1.2\r\nConnection: Upgrade\r\n\r\n")
            $0.server("HTTP/1.1 101 Switching Protocols\r\nUpgrade: TLS/1.2, HTTP/1.1\r\n\r\n")
        }
        #expect(capture.transactions.map(\.response?.status) == [101, 204, 200])
        #expect(capture.transactions.map(\.isSecure) == [false, true, true])
    }

    @Test("a key log of other connections is called so, and the handshake is read all the same")
    func namesTheWrongKeyLog() throws {
        let wrong = ["CLIENT_RANDOM \(String(repeating: "ab", count: 32)) \(String(repeating: "0c", count: 48))"]
        let capture = try Self.play("GCM-256", keyLog: wrong)
        #expect(capture.problems.map(\.kind) == [.foreignKeyLog])
        #expect(capture.transactions.isEmpty)
        #expect(capture.connections.first?.isEncrypted == true)
        #expect(capture.tlsConnections.first?.decryption == .noSecrets)
        #expect(capture.tlsConnections.first?.serverCertificate?.commonName == "intranet.example")
    }

    @Test("a key log with other secrets is called so", arguments: ["GCM-256", "pre-shared-key-first"])
    func namesWrongSecrets(name: String) throws {
        let right = try #require(TLSRecordings.sessions[name]).keyLog
        let wrong = right.map { String($0.dropLast(4)) + ($0.hasSuffix("0000") ? "1111" : "0000") }
        let capture = try Self.play(name, keyLog: wrong)
        #expect(capture.problems.map(\.kind) == [.wrongSecrets])
        let message = "the secrets of 1 handshake in the key log do not fit: nothing opens"
        #expect(capture.problems.map(\.message) == [message])
        #expect(try Self.play(name).problems == [])
    }

    @Test("a private key of another server is called so, where a handshake could have used one")
    func namesTheWrongPrivateKey() throws {
        let capture = try Self.play("RSA", privateKey: TLSRecordings.oldRSAKey)
        #expect(capture.problems.map(\.kind) == [.foreignPrivateKey])
        #expect(capture.problems.first?.file == "server.key")
        #expect(capture.problems.first?.message == "the RSA key does not fit the one handshake that could use it")
        #expect(try Self.play("RSA", privateKey: TLSRecordings.rsaKey).problems == [])
        // Forward secrecy leaves a private key nothing to do.
        #expect(try Self.play("GCM-256", privateKey: TLSRecordings.oldRSAKey).problems == [])
    }
}
