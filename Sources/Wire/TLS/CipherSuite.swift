import AuthScanNativeCodecs

/// What a handshake agrees upon to protect records with.
///
/// - Source: the IANA registry "TLS Cipher Suites".
public struct CipherSuite: RawRepresentable, Hashable, Sendable {
    /// The two bytes on the wire, most significant first.
    public let rawValue: UInt16

    /// Creates a suite from its number.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Whether a stolen long-term key does not open recorded connections: the keys come from an ephemeral exchange.
    public var hasForwardSecrecy: Bool {
        rawValue >> 8 == 0x13 || isIntegrityOnly
            || description.hasPrefix("TLS_ECDHE_") || description.hasPrefix("TLS_DHE_")
    }

    /// Whether the client sends the premaster secret encrypted for the server's RSA key.
    ///
    /// - Source: RFC 5246 §7.4.7.1.
    var hasRSAKeyExchange: Bool {
        description.hasPrefix("TLS_RSA_WITH_") || description.hasPrefix("TLS_RSA_EXPORT_WITH_")
    }
}

extension CipherSuite: CustomStringConvertible {
    /// The registered name; an unknown number in hexadecimal digits.
    public var description: String {
        CipherSuite.names[rawValue] ?? "unknown (0x\(String(rawValue, radix: 16, uppercase: true)))"
    }
}

// MARK: - What decryption needs to know

extension CipherSuite {
    /// How records are protected.
    enum Protection: Equatable {
        case aead(AEADCipher.Algorithm)
        case cbc(CBCCipher.Algorithm, HashFunction)
        /// RC4 with a key of 128 bits, be all of them secret or 40.
        case rc4(HashFunction)
        /// Authenticated, but not encrypted.
        case null(HashFunction)
    }

    /// How records are protected; `nil` for what is not decrypted, or not on this system.
    var protection: Protection? {
        let protection = CipherSuite.protections[rawValue]
        if case .cbc(let algorithm, _)? = protection, !algorithm.isAvailable { return nil }
        return protection
    }

    /// Every connection asks, and names are slow to take apart.
    private static let protections = names.keys.reduce(into: [UInt16: Protection]()) { protections, number in
        protections[number] = CipherSuite(rawValue: number).namedProtection
    }

    private var namedProtection: Protection? {
        // The names are made of the parts' names: TLS_<key exchange>_WITH_<cipher>_<hash>, TLS_<cipher>_<hash> in TLS 1.3.
        // As bytes, among which parts are found much quicker than in a String.
        let name = Array(description.utf8)
        func has(_ part: StaticString) -> Bool { withBytes(of: name) { $0.contains(part) } }
        if let aead = CipherSuite.aeads.first(where: { has($0.name) }) { return .aead(aead.algorithm) }
        guard let hash = macHash else { return nil }
        if has("_WITH_NULL_") || isIntegrityOnly { return .null(hash) }
        if has("_WITH_RC4_128_") || has("_WITH_RC4_40_") { return .rc4(hash) }
        return CipherSuite.blockCiphers.first { has($0.name) }.map { .cbc($0.algorithm, hash) }
    }

    /// Whether it is a suite of TLS 1.3 that authenticates records and does not encrypt them.
    ///
    /// - Source: RFC 9150 §4.
    var isIntegrityOnly: Bool { rawValue == 0xC0B4 || rawValue == 0xC0B5 }

    private static let aeads: [(name: StaticString, algorithm: AEADCipher.Algorithm)] = [
        ("AES_128_GCM", .aes128GCM), ("AES_256_GCM", .aes256GCM), ("AES_128_CCM_8", .aes128CCM8),
        ("AES_256_CCM_8", .aes256CCM8), ("AES_128_CCM", .aes128CCM), ("AES_256_CCM", .aes256CCM),
        ("CHACHA20_POLY1305", .chaCha20Poly1305),
    ]

    private static let blockCiphers: [(name: StaticString, algorithm: CBCCipher.Algorithm)] = [
        ("AES_128_CBC", .aes128), ("AES_256_CBC", .aes256), ("3DES_EDE_CBC", .tripleDES), ("_WITH_DES_CBC", .des),
        ("_WITH_DES40_CBC", .des), ("_WITH_IDEA_CBC", .idea), ("_WITH_RC2_CBC_40", .rc2), ("_WITH_SEED_CBC", .seed),
        ("CAMELLIA_128_CBC", .camellia128), ("CAMELLIA_256_CBC", .camellia256),
    ]

    /// Whether its keys are of export strength: 40 bits of them are secret, and the rest is made of what everybody sees.
    ///
    /// - Source: RFC 2246 §C; RFC 2712.
    var isExport: Bool { CipherSuite.exportSuites.contains(rawValue) }

    private static let exportSuites = Set(names.lazy.filter { $0.value.contains("_EXPORT_") }.map(\.key))

    private var macHash: HashFunction? {
        let name = description
        if name.hasSuffix("_MD5") { return .md5 }
        if name.hasSuffix("_SHA") { return .sha1 }
        if name.hasSuffix("_SHA256") { return .sha256 }
        return name.hasSuffix("_SHA384") ? .sha384 : nil
    }

    /// The hash of the key schedule, in TLS 1.2 and 1.3.
    ///
    /// - Source: RFC 5246 §5: SHA-256 unless the suite names a stronger one; RFC 6655 §3.
    var scheduleHash: HashFunction { CipherSuite.strongerSuites.contains(rawValue) ? .sha384 : .sha256 }

    private static let strongerSuites = Set(names.lazy.filter { $0.value.hasSuffix("_SHA384") }.map(\.key))
}
