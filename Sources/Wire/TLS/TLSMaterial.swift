import AuthScanBytes
import AuthScanNativeCodecs

/// What all TLS connections of a capture share: secrets, and what was decoded before.
final class TLSMaterial {
    var keyLog: KeyLog
    var privateKeys: [RSAPrivateKey] = []

    /// How many handshakes were seen with both hellos.
    var handshakes = 0
    /// Of how many of them there are secrets.
    var knownHandshakes = 0
    /// How many of those secrets opened none of the records that they should have opened.
    var wrongHandshakes = 0
    /// How many handshakes hold something that a private key may open, where nothing else did.
    var privateKeyTrials = 0
    /// How many of them a private key opened.
    var privateKeyMatches = 0

    /// What the last opened record holds, at the start.
    private var plaintext: [UInt8] = []
    /// Chains by the bytes that they were sent as.
    private var chains: [ByteKey: [Certificate]] = [:]
    /// Master secrets by the session identifier or ticket that resumes them.
    private var masterSecrets: [ByteKey: [UInt8]] = [:]

    /// How many chains, and master secrets, are remembered.
    private static let memory = 4096

    init(limits: Limits) { keyLog = KeyLog(limits: limits) }

    /// Whether keys may have to be derived from the messages of a handshake.
    var mayNeedTranscript: Bool { keyLog.hasPremasterSecrets || !privateKeys.isEmpty }

    /// Hands the buffer for plaintext over; whoever takes it gives it back.
    func takePlaintext() -> [UInt8] { exchange(&plaintext, with: []) }

    func giveBack(_ buffer: consuming [UInt8]) { plaintext = buffer }

    /// The certificates of a message's body, decoded once for all connections that show them.
    func chain(_ body: ArraySlice<UInt8>, version: TLSVersion) -> [Certificate]? {
        let key = ByteKey(Array(body))
        if let known = chains[key] { return known }
        // A damaged message shows no certificate.
        guard let message = try? CertificateMessage(body, version: version) else { return nil }
        let chain = Certificate.chain(message.certificates)
        if chains.count < TLSMaterial.memory { chains[key] = chain }
        return chain
    }

    func remember(_ masterSecret: [UInt8], for key: [UInt8]) {
        if !key.isEmpty, masterSecrets.count < TLSMaterial.memory { masterSecrets[ByteKey(key)] = masterSecret }
    }

    func masterSecret(for key: [UInt8]) -> [UInt8]? {
        key.isEmpty ? nil : masterSecrets[ByteKey(key)]
    }

    /// Decrypts a premaster secret with whichever private key fits.
    ///
    /// - Source: RFC 5246 §7.4.7.1: the secret starts with the version that the client offered first.
    func premasterSecret(_ encrypted: [UInt8]) -> [UInt8]? {
        if let logged = keyLog.secret(.rsaPremasterSecret, of: Array(encrypted.prefix(8))) { return logged }
        guard !privateKeys.isEmpty else { return nil }
        privateKeyTrials += 1
        let opened = privateKeys.lazy.compactMap { $0.decrypt(encrypted) }.first { $0.count == 48 }
        if opened != nil { privateKeyMatches += 1 }
        return opened
    }

    /// What is wrong with the choice of the private key.
    func privateKeyProblems(path: String) -> [CaptureProblem] {
        guard privateKeyTrials > 0, privateKeyMatches == 0 else { return [] }
        let handshakes = privateKeyTrials == 1 ? "the one handshake" : "none of the \(privateKeyTrials) handshakes"
        let message = "the RSA key \(privateKeyTrials == 1 ? "does not fit" : "fits") \(handshakes) that could use it"
        return [CaptureProblem(kind: .foreignPrivateKey, file: path, packet: nil, offset: nil, message: message)]
    }
}
