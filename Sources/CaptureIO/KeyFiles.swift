public import AuthScanBytes
public import AuthScanWire

/// Reads an NSS key log.
///
/// What is wrong with its content is in the log itself.
///
/// - Throws: `CaptureError` where the file cannot be read.
public func readKeyLog(path: String, limits: Limits = Limits()) throws(CaptureError) -> KeyLog {
    let file = try CaptureFile(path: path)
    var log = KeyLog(limits: limits)
    var block: [UInt8] = []
    try file.read(into: &block)
    while !block.isEmpty {
        log.receive(block)
        try file.read(into: &block)
    }
    log.finish()
    return log
}

/// Why a file of keys cannot be opened; `nil` where it can.
public func fault(ofKeyFile path: String) -> CaptureError? {
    do throws(CaptureError) {
        _ = try CaptureFile(path: path)
        return nil
    } catch {
        return error
    }
}

/// Reads a private key; one in PEM form is put into DER form.
///
/// Whether it is a key at all is for `CaptureAnalysis.use(privateKey:path:)` to say.
///
/// - Throws: `CaptureError` where the file cannot be read.
public func readPrivateKey(path: String) throws(CaptureError) -> [UInt8] {
    let file = try CaptureFile(path: path)
    // Keys are much shorter than a block.
    var bytes: [UInt8] = []
    try file.read(into: &bytes)
    return PEM.privateKey(in: bytes) ?? bytes
}

/// Text that wraps encoded objects.
///
/// - Source: RFC 7468 §2.
enum PEM {
    /// The first private key in a text; `nil` where there is none.
    static func privateKey(in text: [UInt8]) -> [UInt8]? {
        var encoded: [UInt8] = []
        var isInside = false
        for line in text.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let words = String(decoding: line, as: UTF8.self)
            if words.hasPrefix("-----BEGIN "), words.hasSuffix("PRIVATE KEY-----") {
                isInside = true
            } else if isInside, words.hasPrefix("-----END ") {
                return Base64.decodeIgnoringPadding(encoded[...])
            } else if isInside {
                encoded += line.filter { $0 != 0x20 && $0 != 0x09 }
            }
        }
        return nil
    }
}
