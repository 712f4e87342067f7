import AuthScanNativeCodecs
import Testing

@testable import AuthScanWire

@Suite struct RecordDecryptorTests {
    @Test(
        "every way to protect records opens with the session's secrets",
        arguments: [
            ("GCM-256", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", TLSVersion.tls12),
            ("ChaCha20-Poly1305", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256", .tls12),
            ("CCM", "TLS_ECDHE_ECDSA_WITH_AES_128_CCM", .tls12),
            ("CCM-8", "TLS_ECDHE_ECDSA_WITH_AES_256_CCM_8", .tls12),
            ("CBC", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256", .tls12),
            ("encrypt-then-MAC", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", .tls12),
            ("Camellia", "TLS_ECDHE_ECDSA_WITH_CAMELLIA_128_CBC_SHA256", .tls12),
            ("NULL", "TLS_ECDHE_ECDSA_WITH_NULL_SHA", .tls12),
            ("TLS-1.1-CBC", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", .tls11),
            ("TLS-1.0-CBC", "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA", .tls10),
            ("TLS-1.0-encrypt-then-MAC", "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA", .tls10),
        ]
    )
    func opens(name: String, suite: String, version: TLSVersion) throws {
        let facts = try Self.opened(TLSRecordings.sessions[name], suite, version)
        #expect(facts.clientCertificate == .notRequested)
        #expect(facts.resumption == nil)
    }

    /// What is known of a session all of whose content was read.
    private static func opened(
        _ session: TLSRecordings.Session?,
        _ suite: String,
        _ version: TLSVersion
    ) throws -> TLSConnection {
        let conversation = try #require(session).played()
        #expect(conversation.text(.client) == TLSRecordings.requests)
        #expect(conversation.text(.server) == TLSRecordings.responses)
        let facts = conversation.session.finish()
        #expect(facts.cipherSuite?.description == suite)
        #expect(facts.version == version)
        #expect(facts.decryption == .complete)
        return facts
    }

    private static let old = [
        ("SSL-3.0-3DES", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", TLSVersion.ssl30),
        ("SSL-3.0-AES", "TLS_RSA_WITH_AES_256_CBC_SHA", .ssl30),
        ("SSL-3.0-RC4-MD5", "TLS_RSA_WITH_RC4_128_MD5", .ssl30),
        ("SSL-3.0-RC4-SHA", "TLS_RSA_WITH_RC4_128_SHA", .ssl30),
        ("TLS-1.0-RC4-MD5", "TLS_RSA_WITH_RC4_128_MD5", .tls10),
        ("TLS-1.2-RC4-SHA", "TLS_RSA_WITH_RC4_128_SHA", .tls12),
        ("TLS-1.0-3DES", "TLS_RSA_WITH_3DES_EDE_CBC_SHA", .tls10),
    ]

    @Test("SSL 3.0 and RC4 open with the session's secrets", arguments: old)
    func opensOld(name: String, suite: String, version: TLSVersion) throws {
        _ = try Self.opened(TLSRecordings.oldSessions[name], suite, version)
    }

    @Test("… and with the server's private key", arguments: old.map(\.0))
    func opensOldWithPrivateKey(name: String) throws {
        var conversation = TLSConversation(keyLog: [])
        conversation.material.privateKeys = [try #require(RSAPrivateKey(der: TLSRecordings.oldRSAKey))]
        try #require(TLSRecordings.oldSessions[name]).play(into: &conversation)
        #expect(conversation.text(.client) == TLSRecordings.requests)
        #expect(conversation.text(.server) == TLSRecordings.responses)
    }

    @Test(
        "export strength opens: the final keys and the vectors are those that Java makes",
        arguments: [
            ("SSL-3.0-RC4-40", "TLS_DH_anon_EXPORT_WITH_RC4_40_MD5", TLSVersion.ssl30),
            ("SSL-3.0-DES40", "TLS_DH_anon_EXPORT_WITH_DES40_CBC_SHA", .ssl30),
            ("TLS-1.0-RC4-40", "TLS_DH_anon_EXPORT_WITH_RC4_40_MD5", .tls10),
            ("TLS-1.0-DES40", "TLS_DH_anon_EXPORT_WITH_DES40_CBC_SHA", .tls10),
            ("TLS-1.1-DES", "TLS_DH_anon_WITH_DES_CBC_SHA", .tls11),
        ]
    )
    func opensExport(name: String, suite: String, version: TLSVersion) throws {
        _ = try Self.opened(TLSRecordings.exportSessions[name], suite, version)
    }

    @Test(
        "… also in versions that forbid it",
        arguments: [
            ("TLS-1.1-RC4-40", "TLS_RSA_EXPORT_WITH_RC4_40_MD5", TLSVersion.tls11),
            ("TLS-1.1-DES40", "TLS_RSA_EXPORT_WITH_DES40_CBC_SHA", .tls11),
            ("TLS-1.2-RC4-40", "TLS_RSA_EXPORT_WITH_RC4_40_MD5", .tls12),
            ("TLS-1.2-DES40", "TLS_RSA_EXPORT_WITH_DES40_CBC_SHA", .tls12),
        ]
    )
    func opensForbiddenExport(name: String, suite: String, version: TLSVersion) throws {
        _ = try Self.opened(TLSRecordings.legacySessions[name], suite, version)
    }

    private static let versions = [
        ("SSL-3.0", TLSVersion.ssl30), ("TLS-1.0", .tls10), ("TLS-1.1", .tls11), ("TLS-1.2", .tls12),
    ]

    @Test("IDEA opens, although libcrypto may lack it", arguments: versions)
    func opensIDEA(name: String, version: TLSVersion) throws {
        _ = try Self.opened(TLSRecordings.legacySessions["\(name)-IDEA"], "TLS_RSA_WITH_IDEA_CBC_SHA", version)
    }

    @Test("RC2 opens", .enabled(if: CBCCipher.Algorithm.rc2.isAvailable), arguments: versions)
    func opensRC2(name: String, version: TLSVersion) throws {
        let session = TLSRecordings.legacySessions["\(name)-RC2-40"]
        _ = try Self.opened(session, "TLS_RSA_EXPORT_WITH_RC2_CBC_40_MD5", version)
    }

    @Test(
        "SEED opens",
        .enabled(if: CBCCipher.Algorithm.seed.isAvailable),
        arguments: [("TLS-1.0-SEED", TLSVersion.tls10), ("TLS-1.2-SEED", .tls12)]
    )
    func opensSEED(name: String, version: TLSVersion) throws {
        _ = try Self.opened(TLSRecordings.legacySessions[name], "TLS_DH_anon_WITH_SEED_CBC_SHA", version)
    }

    @Test(
        "RC4 goes on behind a gap, whose records have used up their part of the stream",
        arguments: ["SSL-3.0-RC4-MD5", "SSL-3.0-RC4-SHA", "TLS-1.0-RC4-MD5", "TLS-1.2-RC4-SHA"],
        [0, 3, 20]
    )
    func findsStreamsAgain(name: String, kept: Int) throws {
        let session = try #require(TLSRecordings.oldSessions[name])
        var conversation = TLSConversation(keyLog: session.keyLog)
        let lost = try #require(session.pieces.lastIndex { $0.side == .server }) - 2
        for (index, piece) in session.pieces.enumerated() {
            guard index == lost else {
                conversation.send(piece.side, piece.bytes)
                continue
            }
            // Without its start, in its header, and behind it.
            if kept > 0 { conversation.send(.server, Array(piece.bytes.prefix(kept))) }
            conversation.lose(.server, piece.bytes.count - kept)
        }
        #expect(conversation.text(.client) == TLSRecordings.requests)
        #expect(conversation.text(.server).hasSuffix("\r\n\r\nhi"))
    }

    @Test(
        "a changed byte is noticed, and the records behind it are not lost",
        arguments: ["GCM-256", "ChaCha20-Poly1305", "CCM", "CBC", "encrypt-then-MAC", "NULL", "TLS-1.1-CBC"]
    )
    func refusesChangedBytes(name: String) throws {
        let session = try #require(TLSRecordings.sessions[name])
        var conversation = TLSConversation(keyLog: session.keyLog)
        let first = try #require(session.pieces.lastIndex { $0.side == .server }) - 2
        for (index, piece) in session.pieces.enumerated() {
            var bytes = piece.bytes
            if index == first { bytes[bytes.count - 1] ^= 1 }
            conversation.send(piece.side, bytes)
        }
        #expect(conversation.text(.client) == TLSRecordings.requests)
        #expect(conversation.text(.server) == Self.secondResponse)
        #expect(conversation.session.finish().decryption == .partial)
    }

    @Test(
        "records behind a gap are found again, and the length of what is missing is known",
        arguments: ["GCM-256", "ChaCha20-Poly1305", "CCM"]
    )
    func findsRecordsAgain(name: String) throws {
        let conversation = try Self.playedWithoutFirstResponse(name)
        #expect(conversation.text(.server) == Self.secondResponse)
        #expect(conversation.lost[.server] == Self.firstResponse.utf8.count)
    }

    @Test(
        "… those of block ciphers, too, but for the length",
        arguments: ["CBC", "encrypt-then-MAC", "Camellia", "TLS-1.1-CBC"]
    )
    func findsBlocksAgain(name: String) throws {
        #expect(try Self.playedWithoutFirstResponse(name).text(.server) == Self.secondResponse)
    }

    /// The first record behind the gap would need the last block of the one before; OpenSSL sends an empty one first.
    @Test("… and those of TLS 1.0, behind the first", arguments: ["TLS-1.0-CBC", "TLS-1.0-encrypt-then-MAC"])
    func findsChainedBlocksAgain(name: String) throws {
        let text = try Self.playedWithoutFirstResponse(name).text(.server)
        #expect(text == Self.secondResponse)
    }

    @Test("where the end of a record of TLS 1.0 is lost, the next record is, too, and no more")
    func findsTheVectorAgain() throws {
        let session = try #require(TLSRecordings.bodies["TLS-1.0-CBC"])
        var conversation = TLSConversation(keyLog: session.keyLog)
        let lost = session.pieces.indices.filter { session.pieces[$0].side == .server }.suffix(17)
        for (index, piece) in session.pieces.enumerated() {
            guard index == lost.first else {
                conversation.send(piece.side, piece.bytes)
                continue
            }
            // An empty record comes first, of 37 bytes, then the head of the first response.
            conversation.send(.server, Array(piece.bytes.prefix(60)))
            conversation.lose(.server, piece.bytes.count - 60)
        }
        #expect(conversation.text(.server).ranges(of: "HTTP/1.1 ").count == 4)
        #expect(conversation.session.finish().decryption == .partial)
    }

    private static let firstResponse = "HTTP/1.1 204 No\r\n\r\n"
    private static let secondResponse = TLSRecordings.responses.dropFirst(firstResponse.count)

    private static func playedWithoutFirstResponse(_ name: String) throws -> TLSConversation {
        let session = try #require(TLSRecordings.sessions[name])
        var conversation = TLSConversation(keyLog: session.keyLog)
        let lost = try #require(session.pieces.lastIndex { $0.side == .server }) - 2
        for (index, piece) in session.pieces.enumerated() {
            if index == lost {
                conversation.lose(.server, piece.bytes.count)
            } else {
                conversation.send(piece.side, piece.bytes)
            }
        }
        return conversation
    }

    @Test("a NULL suite needs no key")
    func readsNullWithoutKeys() throws {
        let conversation = try #require(TLSRecordings.sessions["NULL"]).played(keyLog: [])
        #expect(conversation.text(.server) == TLSRecordings.responses)
    }
}
