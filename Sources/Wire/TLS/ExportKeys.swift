import AuthScanNativeCodecs

/// Makes the keys and vectors of suites of export strength.
///
/// They are not those of the key block, which holds 40 secret bits for each key, and no vectors.
///
/// - Source: RFC 2246 §6.3.1; RFC 6101 §6.2.2. RFC 4346 §A.5 forbids these suites from TLS 1.1 on; where a side agrees upon them all
///   the same, as OpenSSL did until 1.1.0, it is with the pseudorandom function of the version.
struct ExportKeys {
    private let version: TLSVersion
    private let clientRandom: [UInt8]
    private let serverRandom: [UInt8]
    private let hash: HashFunction

    /// How many bytes the key block holds for each key.
    static let materialBytes = 5

    init(clientRandom: [UInt8], hello: ServerHello) {
        version = hello.version
        self.clientRandom = clientRandom
        serverRandom = hello.random
        hash = hello.cipherSuite.scheduleHash
    }

    /// final_client_write_key or final_server_write_key.
    func finalKey(_ material: [UInt8], side: Side, count: Int) -> [UInt8] {
        if version < .tls10 { return digest(material, side, count: count) }
        return pseudorandom(material, side == .client ? "client write key" : "server write key", count: count)
    }

    /// client_write_IV or server_write_IV.
    func vector(side: Side, count: Int) -> [UInt8] {
        if version < .tls10 { return digest([], side, count: count) }
        let block = pseudorandom([], "IV block", count: 2 * count)
        return Array(side == .client ? block.prefix(count) : block.suffix(count))
    }

    /// SSL 3.0: MD5 of a secret and both randoms, the sender's first.
    private func digest(_ secret: [UInt8], _ side: Side, count: Int) -> [UInt8] {
        let randoms = side == .client ? clientRandom + serverRandom : serverRandom + clientRandom
        return Array(HashFunction.md5.digest(of: secret + randoms).prefix(count))
    }

    private func pseudorandom(_ secret: [UInt8], _ label: String, count: Int) -> [UInt8] {
        KeySchedule.pseudorandom(secret, label, clientRandom + serverRandom, count: count, version: version, hash)
    }
}
