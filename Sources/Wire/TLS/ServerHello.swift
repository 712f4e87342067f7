import AuthScanBytes

/// What a server chooses of a client's offer.
///
/// ```
/// legacy_version(2) random(32) session_id<0..32> cipher_suite(2) compression_method(1) extensions<0..2^16-1>
/// ```
///
/// - Source: RFC 8446 §4.1.3; RFC 5246 §7.4.1.3.
struct ServerHello {
    let version: TLSVersion
    let random: [UInt8]
    let sessionID: [UInt8]
    let cipherSuite: CipherSuite
    let protocolName: String?
    let hasPreSharedKey: Bool
    let hasEncryptThenMAC: Bool
    let hasExtendedMasterSecret: Bool
    let hasTruncatedHMAC: Bool

    /// Whether it asks for another ClientHello.
    var isHelloRetryRequest: Bool { random == ServerHello.retryRandom }

    /// The hash of "HelloRetryRequest".
    private static let retryRandom: [UInt8] = [
        0xCF, 0x21, 0xAD, 0x74, 0xE5, 0x9A, 0x61, 0x11, 0xBE, 0x1D, 0x8C, 0x02, 0x1E, 0x65, 0xB8, 0x91,
        0xC2, 0xA2, 0x11, 0x16, 0x7A, 0xBB, 0x8C, 0x5E, 0x07, 0x9E, 0x09, 0xE2, 0xC8, 0xA8, 0x33, 0x9C,
    ]

    init(_ body: ArraySlice<UInt8>) throws(DecodeError) {
        var cursor = ByteCursor(body)
        let legacy = TLSVersion(rawValue: try cursor.readBigEndian(UInt16.self, as: "legacy_version"))
        random = Array(try cursor.take(32, as: "random"))
        sessionID = Array(try cursor.takeVector(lengthBytes: 1, as: "session_id"))
        cipherSuite = CipherSuite(rawValue: try cursor.readBigEndian(UInt16.self, as: "cipher_suite"))
        _ = try cursor.take(1, as: "compression_method")
        let extensions = try TLSExtension.list(&cursor)
        version = extensions[.supportedVersions].flatMap { numbers16($0).first }.map(TLSVersion.init) ?? legacy
        protocolName = extensions.protocolNames.first
        hasPreSharedKey = extensions[.preSharedKey] != nil
        hasEncryptThenMAC = extensions[.encryptThenMAC] != nil
        hasExtendedMasterSecret = extensions[.extendedMasterSecret] != nil
        hasTruncatedHMAC = extensions[.truncatedHMAC] != nil
    }
}
