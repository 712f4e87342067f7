import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct TLSSessionTests {
    private static func play(keyLog: [String], size: Int = .max) -> TLSConversation {
        var conversation = TLSConversation(keyLog: keyLog)
        conversation.send(.client, RFC8448Trace.clientHello, size: size)
        conversation.send(.server, RFC8448Trace.serverHello + RFC8448Trace.serverFlight, size: size)
        conversation.send(.client, RFC8448Trace.clientFinished, size: size)
        conversation.send(.server, RFC8448Trace.serverTicket, size: size)
        conversation.send(.client, RFC8448Trace.clientData, size: size)
        conversation.send(.server, RFC8448Trace.serverData, size: size)
        conversation.send(.client, RFC8448Trace.clientClose, size: size)
        conversation.send(.server, RFC8448Trace.serverClose, size: size)
        return conversation
    }

    /// RFC 8448 §3, in packets of any size.
    @Test(arguments: [1, 7, 64, .max])
    func opensTheSimpleHandshake(size: Int) {
        let conversation = Self.play(keyLog: RFC8448Trace.keyLog, size: size)
        #expect(conversation.content == [.client: [RFC8448Trace.data], .server: [RFC8448Trace.data]])
        let facts = conversation.session.finish()
        #expect(facts.decryption == .complete)
        #expect(facts.version == .tls13)
        #expect(facts.cipherSuite?.description == "TLS_AES_128_GCM_SHA256")
        #expect(facts.clientHello?.serverName == "server")
        #expect(facts.clientHello?.versions == [.tls13])
        #expect(facts.clientCertificate == .notRequested)
        #expect(facts.alerts.map(\.description) == [.closeNotify, .closeNotify])
        #expect(facts.alerts.map(\.from) == [.client, .server])
        #expect(facts.alerts.allSatisfy { !$0.isDuringHandshake })
        #expect(facts.finishedPacket != nil)
    }

    /// The server's certificate of RFC 8448 §3: "rsa", signed with itself, with an RSA key of 1024 bits.
    @Test func readsTheCertificateInside() throws {
        let facts = Self.play(keyLog: RFC8448Trace.keyLog).session.finish()
        let certificate = try #require(facts.serverCertificate)
        #expect(facts.serverCertificates.count == 1)
        #expect(certificate.subject == "CN=rsa")
        #expect(certificate.keyAlgorithm == "RSA")
        #expect(certificate.keyBits == 1024)
        #expect(certificate.signatureHash == "SHA256")
        #expect(certificate.isSelfSigned)
        #expect(certificate.notBefore?.nanoseconds == 1_469_841_839_000_000_000)
    }

    /// RFC 8448 §4: the content is what the client sends early, "ABCDEF", and fifty bytes counted up, both ways.
    @Test func opensEarlyData() throws {
        let conversation = try #require(TLSRecordings.rfc8448["0-RTT"]).played()
        let early: [UInt8] = [0x41, 0x42, 0x43, 0x44, 0x45, 0x46]
        #expect(conversation.content == [.client: [early, RFC8448Trace.data], .server: [RFC8448Trace.data]])
        let facts = conversation.session.finish()
        #expect(facts.decryption == .complete)
        #expect(facts.resumption == .preSharedKey)
        #expect(facts.clientHello?.offersEarlyData == true)
        #expect(facts.finishedPacket != nil)
        #expect(facts.serverCertificates.isEmpty)
    }

    /// RFC 8448 §5: the server asks for another group first.
    @Test func followsHelloRetryRequest() throws {
        let facts = try #require(TLSRecordings.rfc8448["HelloRetryRequest"]).played().session.finish()
        #expect(facts.helloRetryPacket == 2)
        #expect(facts.clientHello?.packet == 3)
        #expect(facts.serverHelloPacket == 4)
        #expect(facts.version == .tls13)
        #expect(facts.decryption == .complete)
        #expect(facts.alerts.map(\.description) == [.closeNotify, .closeNotify])
        #expect(facts.renegotiation == nil)
    }

    /// A conversation of RFC 8448 with what RFC 8446 §D.4 adds for middleboxes: a server's ChangeCipherSpec comes behind its first
    /// hello, a client's before what follows its first hello.
    private static func playWithMiddleboxes(_ name: String) throws -> TLSConversation {
        let session = try #require(TLSRecordings.rfc8448[name])
        var conversation = TLSConversation(keyLog: session.keyLog)
        let changeCipherSpec = bytes(hex: "140303000101")
        var pieces: [Side: Int] = [:]
        for piece in session.pieces {
            pieces[piece.side, default: 0] += 1
            if piece.side == .client, pieces[.client] == 2 { conversation.send(.client, changeCipherSpec) }
            conversation.send(piece.side, piece.bytes)
            if piece.side == .server, pieces[.server] == 1 { conversation.send(.server, changeCipherSpec) }
        }
        return conversation
    }

    @Test("a second hello is read behind the ChangeCipherSpec that pleases middleboxes")
    func followsHelloRetryRequestPastMiddleboxes() throws {
        let facts = try Self.playWithMiddleboxes("HelloRetryRequest").session.finish()
        #expect(facts.helloRetryPacket == 2)
        #expect(facts.clientHello?.packet == 5)
        #expect(facts.serverHelloPacket == 6)
        #expect(facts.decryption == .complete)
        #expect(facts.alerts.map(\.description) == [.closeNotify, .closeNotify])
    }

    @Test("early data are read behind the ChangeCipherSpec that pleases middleboxes")
    func opensEarlyDataPastMiddleboxes() throws {
        let conversation = try Self.playWithMiddleboxes("0-RTT")
        #expect(conversation.content[.client]?.first == Array("ABCDEF".utf8))
        #expect(conversation.content[.client]?.last == RFC8448Trace.data)
        #expect(conversation.session.finish().decryption == .complete)
    }

    /// RFC 8448 §6: the client shows a certificate of "client", and the server one of "ecdsa256".
    @Test func readsClientAuthentication() throws {
        let facts = try #require(TLSRecordings.rfc8448["client-authentication"]).played().session.finish()
        #expect(facts.clientCertificate == .sent)
        #expect(facts.clientCertificates.map(\.commonName) == ["client"])
        #expect(facts.serverCertificate?.commonName == "ecdsa256")
        #expect(facts.certificateRequest?.isAfterHandshake == false)
        #expect(facts.decryption == .complete)
    }

    @Test("a key log without the handshake's secrets opens the data all the same")
    func findsLaterKeys() {
        let conversation = Self.play(keyLog: Array(RFC8448Trace.keyLog.suffix(2)))
        #expect(conversation.content == [.client: [RFC8448Trace.data], .server: [RFC8448Trace.data]])
        #expect(conversation.session.finish().decryption == .complete)
        #expect(conversation.session.finish().serverCertificates.isEmpty)
    }

    @Test("without secrets, lengths tell that no certificate was asked for, and how it ended")
    func readsLengths() {
        let conversation = Self.play(keyLog: [])
        let facts = conversation.session.finish()
        #expect(facts.decryption == .noSecrets)
        #expect(facts.clientCertificate == .notRequested)
        #expect(facts.alerts.map(\.from) == [.client, .server])
        #expect(facts.alerts.allSatisfy { $0.description == nil && !$0.isDuringHandshake })
        #expect(conversation.content == [.client: [], .server: []])
    }

    @Test("an alert in the place of the client's Finished belongs to the handshake")
    func tellsRefusalByPlace() {
        var conversation = TLSConversation()
        conversation.send(.client, RFC8448Trace.clientHello)
        conversation.send(.server, RFC8448Trace.serverHello + RFC8448Trace.serverFlight)
        conversation.send(.client, RFC8448Trace.clientClose)
        let alert = conversation.session.finish().alerts.first
        #expect(alert?.from == .client)
        #expect(alert?.isDuringHandshake == true)
        #expect(alert?.isFatal == nil)
    }

    @Test("secrets that are not those of the records are told apart from none")
    func tellsWrongSecrets() {
        let wrong = RFC8448Trace.keyLog.map { $0.dropLast(2) + "00" }.map(String.init)
        #expect(Self.play(keyLog: wrong).session.finish().decryption == .wrongSecrets)
    }

    @Test("a record that lost bytes is passed over, and the next one opens")
    func goesOnBehindADamagedRecord() {
        var conversation = TLSConversation(keyLog: RFC8448Trace.keyLog)
        conversation.send(.client, RFC8448Trace.clientHello)
        conversation.send(.server, RFC8448Trace.serverHello + RFC8448Trace.serverFlight)
        conversation.send(.server, Array(RFC8448Trace.serverTicket.prefix(100)))
        conversation.lose(.server, 50)
        conversation.send(.server, Array(RFC8448Trace.serverTicket.dropFirst(150)) + RFC8448Trace.serverData)
        #expect(conversation.content[.server] == [RFC8448Trace.data])
    }

    @Test("a record behind a gap that swallowed others is found again by its number")
    func goesOnBehindLostRecords() {
        var conversation = TLSConversation(keyLog: RFC8448Trace.keyLog)
        conversation.send(.client, RFC8448Trace.clientHello)
        conversation.send(.server, RFC8448Trace.serverHello + RFC8448Trace.serverFlight)
        // The gap ends inside the ticket's record, whose rest looks like nothing.
        conversation.lose(.server, 120)
        conversation.send(.server, Array(RFC8448Trace.serverTicket.dropFirst(120)) + RFC8448Trace.serverData, size: 40)
        #expect(conversation.content[.server] == [RFC8448Trace.data])
    }

    /// A KeyUpdate behind the data of RFC 8448 §3, and data (with ten bytes of padding) under the next keys, sealed with another
    /// implementation.
    @Test func followsKeyUpdates() {
        var conversation = TLSConversation(keyLog: RFC8448Trace.keyLog)
        conversation.send(.client, RFC8448Trace.clientHello)
        conversation.send(.server, RFC8448Trace.serverHello + RFC8448Trace.serverFlight)
        conversation.send(.server, RFC8448Trace.serverTicket + RFC8448Trace.serverData)
        conversation.send(.server, bytes(hex: "1703030016ac8fc3f16683a2187f7681ead842e4b06c55ffc8a059"))
        conversation.send(
            .server,
            bytes(hex: "170303002202da603bf1deb0b23816fd3d4c94a961ecde4cdc186ce9e776b1bfd44031b1943f0a")
        )
        #expect(conversation.content[.server] == [RFC8448Trace.data, Array("updated".utf8)])
    }

    @Test("an alert in clear names its sender and its reason")
    func readsClearAlerts() {
        var conversation = TLSConversation()
        conversation.send(.client, RFC8448Trace.clientHello)
        conversation.send(.server, RFC8448Trace.serverHello)
        conversation.send(.client, [0x15, 3, 3, 0, 2, 2, 48])
        let alert = conversation.session.finish().alerts.first
        #expect(alert?.description == .unknownCA)
        #expect(alert?.isFatal == true)
        #expect(alert?.from == .client)
        #expect(alert?.description?.refusesCertificate == true)
    }
}
