import AuthScanNativeCodecs

/// The key block of a connection before TLS 1.3.
///
/// - Source: RFC 5246 §6.3; RFC 6101 §6.2.2.
struct LegacyKeys {
    let version: TLSVersion
    let protection: CipherSuite.Protection
    let encryptThenMAC: Bool
    let macHash: HashFunction
    /// The length of a MAC, or of the tag that stands for it.
    let macBytes: Int
    private let keyBlock: [UInt8]
    private let macKeyBytes: Int
    private let keyBytes: Int
    /// The length of what the block holds of a key.
    private let keyMaterialBytes: Int
    private let vectorBytes: Int
    /// Makes keys and vectors of export strength, which the block does not hold.
    private let exportKeys: ExportKeys?

    /// Derives the block; `nil` for a suite or version that is not decrypted.
    init?(masterSecret: [UInt8], clientRandom: [UInt8], hello: ServerHello) {
        guard hello.version >= .ssl30, hello.version <= .tls12, let protection = hello.cipherSuite.protection else {
            return nil
        }
        version = hello.version
        self.protection = protection
        encryptThenMAC = hello.hasEncryptThenMAC
        switch protection {
        case .aead(let algorithm):
            macHash = hello.cipherSuite.scheduleHash
            macKeyBytes = 0
            macBytes = algorithm.tagBytes
            keyBytes = algorithm.keyBytes
            vectorBytes = algorithm == .chaCha20Poly1305 ? AEADCipher.nonceBytes : 4
        case .cbc(let algorithm, let hash):
            macHash = hash
            macKeyBytes = hash.byteCount
            // RFC 6066 §7: the MAC is cut, its key is not.
            macBytes = hello.hasTruncatedHMAC ? 10 : hash.byteCount
            keyBytes = algorithm.keyBytes
            vectorBytes = algorithm.blockBytes
        case .rc4(let hash):
            macHash = hash
            macKeyBytes = hash.byteCount
            macBytes = hello.hasTruncatedHMAC ? 10 : hash.byteCount
            keyBytes = 16
            vectorBytes = 0
        case .null(let hash):
            macHash = hash
            macKeyBytes = hash.byteCount
            macBytes = hello.hasTruncatedHMAC ? 10 : hash.byteCount
            keyBytes = 0
            vectorBytes = 0
        }
        exportKeys = hello.cipherSuite.isExport ? ExportKeys(clientRandom: clientRandom, hello: hello) : nil
        keyMaterialBytes = exportKeys == nil ? keyBytes : ExportKeys.materialBytes
        keyBlock = KeySchedule.pseudorandom(
            masterSecret,
            "key expansion",
            hello.random + clientRandom,
            count: 2 * (macKeyBytes + keyMaterialBytes + vectorBytes),
            version: hello.version,
            hello.cipherSuite.scheduleHash
        )
        guard keyBlock.count == 2 * (macKeyBytes + keyMaterialBytes + vectorBytes) else { return nil }
    }

    /// client_write_MAC_key, server_write_MAC_key, client_write_key, server_write_key, client_write_IV, server_write_IV.
    func block(of side: Side) -> (mac: [UInt8], key: [UInt8], vector: [UInt8]) {
        let which = side == .client ? 0 : 1
        func part(_ start: Int, _ count: Int) -> [UInt8] {
            Array(keyBlock[(start + which * count)..<(start + (which + 1) * count)])
        }
        let mac = part(0, macKeyBytes)
        let key = part(2 * macKeyBytes, keyMaterialBytes)
        if let exportKeys {
            return (
                mac, exportKeys.finalKey(key, side: side, count: keyBytes),
                exportKeys.vector(side: side, count: vectorBytes)
            )
        }
        return (mac, key, part(2 * (macKeyBytes + keyMaterialBytes), vectorBytes))
    }
}
