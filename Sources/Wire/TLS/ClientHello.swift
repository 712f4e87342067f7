import AuthScanBytes

/// What a client offers when it begins a handshake.
///
/// ```
/// legacy_version(2) random(32) session_id<0..32> cipher_suites<2..2^16-2> compression_methods<1..255> extensions<0..2^16-1>
/// ```
///
/// - Source: RFC 8446 §4.1.2; RFC 5246 §7.4.1.2.
public struct ClientHello: Hashable, Sendable {
    /// The packet that completed it, counted from 1.
    public internal(set) var packet = 0

    /// The version that hellos before TLS 1.3 offer.
    public let legacyVersion: TLSVersion

    /// The versions offered, the reserved ones left out; `legacyVersion` alone where the extension is missing.
    public let versions: [TLSVersion]

    /// The cipher suites offered, in order of preference, reserved ones left out.
    public let cipherSuites: [CipherSuite]

    /// The host that the client wants to reach (SNI); `nil` where it does not say.
    ///
    /// - Source: RFC 6066 §3.
    public let serverName: String?

    /// The application protocols offered (ALPN), in order of preference.
    public let protocols: [String]

    /// Whether it offers to resume: a session identifier or ticket, or a pre-shared key.
    public let offersResumption: Bool

    /// Whether data follow at once, protected with a pre-shared key.
    public let offersEarlyData: Bool

    /// Whether the client can be asked for a certificate after the handshake (TLS 1.3).
    public let offersPostHandshakeAuthentication: Bool

    /// Whether it carries an encrypted hello, so that the server name in clear may be that of a front only.
    public let isEncryptedHelloPresent: Bool

    let random: [UInt8]
    let sessionID: [UInt8]
    let sessionTicket: [UInt8]

    /// Decodes the body of the message; trailing bytes are tolerated as extensions of the format.
    init(_ body: ArraySlice<UInt8>) throws(DecodeError) {
        var cursor = ByteCursor(body)
        legacyVersion = TLSVersion(rawValue: try cursor.readBigEndian(UInt16.self, as: "legacy_version"))
        random = Array(try cursor.take(32, as: "random"))
        sessionID = Array(try cursor.takeVector(lengthBytes: 1, as: "session_id"))
        cipherSuites = numbers16(try cursor.takeVector(lengthBytes: 2, as: "cipher_suites"))
            .filter { !isGreaseValue($0) }.map(CipherSuite.init)
        _ = try cursor.takeVector(lengthBytes: 1, as: "compression_methods")
        let extensions = try TLSExtension.list(&cursor)
        let stated = extensions[.supportedVersions].map { numbers16($0.dropFirst()).map(TLSVersion.init) } ?? []
        let offered = stated.filter { !$0.isGrease }
        versions = offered.isEmpty ? [legacyVersion] : offered
        serverName = extensions[.serverName].flatMap(ClientHello.hostName)
        protocols = extensions.protocolNames
        sessionTicket = Array(extensions[.sessionTicket] ?? [])
        let hasKey = extensions[.preSharedKey] != nil
        offersResumption = hasKey || !sessionTicket.isEmpty || (!sessionID.isEmpty && stated.isEmpty)
        offersEarlyData = extensions[.earlyData] != nil
        offersPostHandshakeAuthentication = extensions[.postHandshakeAuth] != nil
        isEncryptedHelloPresent = extensions[.encryptedClientHello] != nil
    }

    /// Decodes the hello that SSL 2.0 began with, behind its message type, of a client that can do more.
    ///
    /// ```
    /// version(2) cipher_spec_length(2) session_id_length(2) challenge_length(2) cipher_specs session_id challenge
    /// ```
    ///
    /// - Source: RFC 5246 §E.2: suites have a zero byte in front, and the challenge stands for the random, filled up with zeros
    ///   in front.
    init(old body: ArraySlice<UInt8>) throws(DecodeError) {
        var cursor = ByteCursor(body)
        legacyVersion = TLSVersion(rawValue: try cursor.readBigEndian(UInt16.self, as: "version"))
        let suiteBytes = Int(try cursor.readBigEndian(UInt16.self, as: "cipher_spec_length"))
        let sessionBytes = Int(try cursor.readBigEndian(UInt16.self, as: "session_id_length"))
        let challengeBytes = Int(try cursor.readBigEndian(UInt16.self, as: "challenge_length"))
        let specs = Array(try cursor.take(suiteBytes, as: "cipher_specs"))
        cipherSuites = stride(from: 0, to: specs.count - 2, by: 3).filter { specs[$0] == 0 }
            .map { CipherSuite(rawValue: UInt16(specs[$0 + 1]) << 8 | UInt16(specs[$0 + 2])) }
        sessionID = Array(try cursor.take(sessionBytes, as: "session_id"))
        let challenge = try cursor.take(challengeBytes, as: "challenge").suffix(32)
        random = [UInt8](repeating: 0, count: 32 - challenge.count) + challenge
        versions = [legacyVersion]
        serverName = nil
        protocols = []
        sessionTicket = []
        offersResumption = !sessionID.isEmpty
        offersEarlyData = false
        offersPostHandshakeAuthentication = false
        isEncryptedHelloPresent = false
    }

    /// The host name of a server_name extension.
    private static func hostName(_ data: ArraySlice<UInt8>) -> String? {
        var cursor = ByteCursor(data)
        // A list that is damaged names no host.
        guard let list = try? cursor.takeVector(lengthBytes: 2, as: "server_name_list") else { return nil }
        var inner = ByteCursor(list)
        while let type = try? inner.readBigEndian(UInt8.self, as: "name_type"),
            let name = try? inner.takeVector(lengthBytes: 2, as: "HostName")
        {
            if type == 0 { return fieldText(name) }
        }
        return nil
    }
}
