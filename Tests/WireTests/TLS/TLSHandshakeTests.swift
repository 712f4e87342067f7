import AuthScanBytes
import AuthScanNativeCodecs
import TestSupport
import Testing

@testable import AuthScanWire

@Suite struct TLSHandshakeTests {
    @Test("a certificate that was asked for was sent", arguments: ["certificate-sent", "TLS-1.3-certificate-sent"])
    func readsTheClientCertificate(name: String) throws {
        let facts = try #require(TLSRecordings.sessions[name]).played().session.finish()
        #expect(facts.clientCertificate == .sent)
        #expect(facts.clientCertificates.map(\.commonName) == ["client.example"])
        #expect(facts.certificateRequest?.authorities == [])
        #expect(facts.certificateRequest?.isAfterHandshake == false)
        #expect(facts.serverCertificate?.dnsNames == ["intranet.example", "*.app.example"])
        #expect(facts.decryption == .complete)
    }

    @Test("another handshake names who began it, and whether it was finished", arguments: [true, false])
    func followsRenegotiation(isFinished: Bool) throws {
        let transcript = """
            connection 1 to 198.51.100.20:443 over tls
            > GET /
            < ↓tls HelloRequest
            \(isFinished ? "handshake" : "> tls no_renegotiation")
            < 200
            """
        let made = try Transcript(transcript).capture()
        let facts = try #require(try analyze([made.bytes]).tlsConnections.first)
        let renegotiation = try #require(facts.renegotiation)
        #expect(renegotiation.from == .server)
        #expect(renegotiation.isAfterRequest)
        #expect(made.markedPackets == [renegotiation.packet])
        #expect((renegotiation.finishedPacket != nil) == isFinished)
        #expect(facts.clientCertificate == (isFinished ? .sent : .notRequested))
        #expect(facts.alerts.map(\.description) == (isFinished ? [] : [.noRenegotiation]))
        #expect(facts.decryption == .complete)
    }

    @Test("a certificate that is asked for after the handshake was sent")
    func readsPostHandshakeAuthentication() throws {
        let conversation = try #require(TLSRecordings.sessions["TLS-1.3-certificate-later"]).played()
        let facts = conversation.session.finish()
        #expect(facts.clientHello?.offersPostHandshakeAuthentication == true)
        #expect(facts.certificateRequest?.isAfterHandshake == true)
        #expect(facts.clientCertificate == .sent)
        #expect(facts.clientCertificates.map(\.commonName) == ["client.example"])
        #expect(facts.clientCertificatePacket ?? 0 > facts.finishedPacket ?? .max)
        #expect(facts.decryption == .complete)
        #expect(conversation.text(.server) == TLSRecordings.responses)
    }

    @Test("a session of TLS 1.3 that goes on from an earlier one is named, and has secrets of its own")
    func resumesWithPreSharedKeys() throws {
        let first = try #require(TLSRecordings.sessions["pre-shared-key-first"]).played().session.finish()
        #expect(first.resumption == nil)
        let resumed = try #require(TLSRecordings.sessions["pre-shared-key-resumed"]).played()
        let facts = resumed.session.finish()
        #expect(facts.resumption == .preSharedKey)
        #expect(facts.serverCertificates.isEmpty)
        #expect(facts.decryption == .complete)
        #expect(resumed.text(.server) == TLSRecordings.responses)
    }

    @Test("records of 64 bytes at most are put together", arguments: ["TLS-1.2-record-limit", "TLS-1.3-record-limit"])
    func readsShortRecords(name: String) throws {
        let conversation = try #require(TLSRecordings.oldSessions[name]).played()
        #expect(conversation.text(.client) == TLSRecordings.requests)
        #expect(conversation.text(.server) == TLSRecordings.responses)
        #expect(conversation.session.finish().decryption == .complete)
        #expect(conversation.session.finish().finishedPacket != nil)
    }

    /// The hello of a client that would do SSL 2.0, too, with one suite of it and one of SSL 3.0; then the answer of SSL 3.0.
    @Test("a hello in the framing of SSL 2.0 is read", arguments: [1, 7, .max])
    func readsOldHellos(size: Int) throws {
        var conversation = TLSConversation()
        let challenge = "000102030405060708090a0b0c0d0e0f"
        conversation.send(.client, bytes(hex: "801f 01 0300 0006 0000 0010 010080 00000a" + challenge), size: size)
        conversation.send(.server, bytes(hex: "160300002a020000260300") + [UInt8](repeating: 7, count: 32))
        conversation.send(.server, bytes(hex: "00000a00"))
        let facts = conversation.session.finish()
        #expect(facts.clientHello?.versions == [.ssl30])
        #expect(facts.clientHello?.cipherSuites.map(\.description) == ["TLS_RSA_WITH_3DES_EDE_CBC_SHA"])
        #expect(facts.clientHello?.random == [UInt8](repeating: 0, count: 16) + bytes(hex: challenge))
        #expect(facts.version == .ssl30)
    }

    @Test("a client without a certificate says so", arguments: ["certificate-none", "TLS-1.3-certificate-none"])
    func readsThatThereIsNone(name: String) throws {
        let facts = try #require(TLSRecordings.sessions[name]).played().session.finish()
        #expect(facts.clientCertificate == TLSConnection.ClientCertificate.none)
        #expect(facts.certificateRequest != nil)
    }

    @Test("without secrets, TLS 1.2 shows its certificates, and TLS 1.3 by the lengths that there is none")
    func tellsCertificatesWithoutSecrets() throws {
        let sent = try #require(TLSRecordings.sessions["certificate-sent"]).played(keyLog: []).session.finish()
        #expect(sent.clientCertificate == .sent)
        #expect(sent.decryption == .noSecrets)
        let none = try #require(TLSRecordings.sessions["TLS-1.3-certificate-none"]).played(keyLog: [])
        #expect(none.session.finish().clientCertificate == TLSConnection.ClientCertificate.none)
        let hidden = try #require(TLSRecordings.sessions["TLS-1.3-certificate-sent"]).played(keyLog: [])
        #expect(hidden.session.finish().clientCertificate == nil)
    }

    @Test(
        "a session that goes on from an earlier one is named, and opens with the earlier one's secrets",
        arguments: [("ticket", TLSConnection.Resumption.ticket), ("session-ID", .sessionID)]
    )
    func resumes(name: String, form: TLSConnection.Resumption) throws {
        let first = try #require(TLSRecordings.sessions["\(name)-first"])
        let resumed = try #require(TLSRecordings.sessions["\(name)-resumed"])
        var earlier = TLSConversation(keyLog: first.keyLog)
        first.play(into: &earlier)
        #expect(earlier.session.finish().resumption == nil)
        var later = TLSConversation(material: earlier.material)
        resumed.play(into: &later)
        #expect(later.session.finish().resumption == form)
        #expect(later.session.finish().decryption == .complete)
        #expect(later.text(.server) == TLSRecordings.responses)
    }

    @Test("an RSA private key opens old cipher suites, with the extended master secret", arguments: ["RSA", "RSA-CBC"])
    func opensWithThePrivateKey(name: String) throws {
        let session = try #require(TLSRecordings.sessions[name])
        var conversation = TLSConversation()
        conversation.material.privateKeys = [try #require(RSAPrivateKey(der: TLSRecordings.rsaKey))]
        session.play(into: &conversation)
        #expect(conversation.text(.client) == TLSRecordings.requests)
        #expect(conversation.text(.server) == TLSRecordings.responses)
        #expect(conversation.session.finish().cipherSuite?.hasForwardSecrecy == false)
    }

    /// RFC 5246 §7.4.4 and RFC 8446 §4.3.2, with the name CN=a.
    @Test(arguments: [
        (TLSVersion.tls11, "0140 0010 000e 300c310a300806035504030c0161"),
        (.tls12, "0140 0002 0403 0010 000e 300c310a300806035504030c0161"),
        (.tls13, "00 0016 002f 0012 0010 000e 300c310a300806035504030c0161"),
    ])
    func readsTheNamesOfAuthorities(version: TLSVersion, body: String) throws {
        let whole = bytes(hex: body)
        #expect(try CertificateRequest(whole[...], version: version).authorities == ["CN=a"])
        for count in 0..<whole.count {
            #expect(throws: DecodeError.self) { try CertificateRequest(whole.prefix(count), version: version) }
        }
    }

    @Test("a certificate covers its names, one label for a wildcard")
    func coversNames() throws {
        let facts = try #require(TLSRecordings.sessions["GCM-256"]).played().session.finish()
        let certificate = try #require(facts.serverCertificate)
        #expect(certificate.covers(host: "Intranet.Example"))
        #expect(certificate.covers(host: "a.app.example"))
        #expect(!certificate.covers(host: "a.b.app.example"))
        #expect(!certificate.covers(host: ".app.example"))
        #expect(!certificate.covers(host: "app.example"))
        #expect(certificate.isValid(at: Timestamp(nanoseconds: 1_800_000_000_000_000_000)) == true)
        #expect(certificate.isValid(at: Timestamp(nanoseconds: 0)) == false)
        #expect(certificate.keyAlgorithm == "EC")
        #expect(certificate.curve == "prime256v1")
        #expect(certificate.serverEndPoint == certificate.fingerprint)
    }
}
