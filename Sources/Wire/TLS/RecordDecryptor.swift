import AuthScanBytes
import AuthScanNativeCodecs

/// Opens the protected records of one direction with one set of keys.
///
/// - Source: RFC 8446 §5.2 and §5.3; RFC 5246 §6.2.3; RFC 5288 §3; RFC 7905 §2; RFC 7366 §3.
final class RecordDecryptor {
    private enum Method {
        /// TLS 1.3, and ChaCha20 before: the nonce is the vector exclusive-ored with the sequence number.
        case implicitNonce(AEADCipher, isTLS13: Bool)
        /// GCM and CCM before TLS 1.3: half of the nonce travels with the record.
        case explicitNonce(AEADCipher)
        /// CBC; the vector travels with the record, or (TLS 1.0) is the last block of the record before.
        case cbc(CBCCipher, isVectorExplicit: Bool, encryptThenMAC: Bool)
        /// RC4, whose state goes on from record to record.
        case stream
        /// Not encrypted; without a key, not checked either.
        case null
    }

    /// The first bytes of a record.
    static let headerBytes = 5
    private static let explicitNonceBytes = 8
    /// The header, and what may travel between it and what is encrypted.
    static let longestStart = headerBytes + explicitNonceBytes

    private let method: Method
    /// The vector of an AEAD (the fixed part alone where the rest travels along), or the last block of CBC.
    private var vector: [UInt8]
    let macKey: [UInt8]
    let macHash: HashFunction
    let macBytes: Int
    private let version: TLSVersion
    /// The state of a stream cipher.
    var stream: Stream?
    /// How many bytes were lost since the last record that opened, headers included; whoever lost them says so.
    var lostBytes = 0

    /// The number of the next record.
    private(set) var sequence: UInt64 = 0
    /// How many records may have been lost before the next one, at most.
    private var mayLack: UInt64 = 0
    /// The part of the last record's nonce that travelled with it.
    private var lastNonce: UInt64?
    /// Whether the last record that was tried opened: the keys are right, and the records are counted right.
    private(set) var isProven = false

    // Used again for each record, so that none allocates.
    private var nonce: [UInt8]
    var additionalData: [UInt8] = []

    /// How many sequence numbers are tried for a record behind a gap.
    private static let attempts: UInt64 = 256

    /// Keys from a traffic secret of TLS 1.3; `nil` where the suite is not decrypted.
    ///
    /// - Source: RFC 8446 §7.3.
    init?(trafficSecret: [UInt8], suite: CipherSuite) {
        guard case .aead(let algorithm)? = suite.protection else { return nil }
        let hash = suite.scheduleHash
        guard trafficSecret.count == hash.byteCount, let secret = KeyedHash(hash, key: trafficSecret) else {
            return nil
        }
        let key = KeySchedule.expandLabel(secret, "key", count: algorithm.keyBytes)
        vector = KeySchedule.expandLabel(secret, "iv", count: AEADCipher.nonceBytes)
        guard let cipher = AEADCipher(algorithm, key: key) else { return nil }
        method = .implicitNonce(cipher, isTLS13: true)
        macKey = []
        macHash = hash
        macBytes = algorithm.tagBytes
        version = .tls13
        nonce = vector
        additionalData = [UInt8](repeating: 0, count: RecordDecryptor.headerBytes)
    }

    /// Keys of one side from the master secret of TLS 1.0 to 1.2; `nil` where the suite is not decrypted.
    init?(_ keys: LegacyKeys, side: Side) {
        version = keys.version
        let block = keys.block(of: side)
        vector = block.vector
        macKey = block.mac
        macHash = keys.macHash
        macBytes = keys.macBytes
        nonce = [UInt8](repeating: 0, count: AEADCipher.nonceBytes)
        additionalData = [UInt8](repeating: 0, count: 13)
        switch keys.protection {
        case .aead(let algorithm):
            guard let cipher = AEADCipher(algorithm, key: block.key) else { return nil }
            method =
                algorithm == .chaCha20Poly1305 ? .implicitNonce(cipher, isTLS13: false) : .explicitNonce(cipher)
        case .cbc(let algorithm, _):
            guard let cipher = CBCCipher(algorithm, key: block.key) else { return nil }
            method = .cbc(cipher, isVectorExplicit: version >= .tls11, encryptThenMAC: keys.encryptThenMAC)
        case .rc4:
            guard let keystream = RC4Keystream(key: block.key) else { return nil }
            method = .stream
            stream = Stream(keystream: keystream)
        case .null: method = .null
        }
    }

    /// Reads records that are authenticated and not encrypted, without the key that would prove them.
    init(unproven hash: HashFunction, version: TLSVersion) {
        method = .null
        vector = []
        macKey = []
        macHash = hash
        macBytes = hash.byteCount
        self.version = version
        nonce = []
        additionalData = [UInt8](repeating: 0, count: 13)
    }

    /// By how many bytes a record is longer than its content, header included; with CBC, at least.
    var overhead: Int {
        switch method {
        case .implicitNonce(_, let isTLS13): RecordDecryptor.headerBytes + macBytes + (isTLS13 ? 1 : 0)
        case .explicitNonce: RecordDecryptor.headerBytes + RecordDecryptor.explicitNonceBytes + macBytes
        case .cbc(let cipher, let isVectorExplicit, _):
            RecordDecryptor.headerBytes + macBytes + 1 + (isVectorExplicit ? cipher.algorithm.blockBytes : 0)
        case .stream: RecordDecryptor.headerBytes + macBytes
        case .null: RecordDecryptor.headerBytes + macBytes + (version >= .tls13 ? 1 : 0)
        }
    }

    /// Notes that records were lost, `count` of them at most, `0` for exactly one.
    func noteLoss(upTo count: Int) {
        if count == 0 {
            sequence &+= 1
        } else {
            mayLack = min(RecordDecryptor.attempts, mayLack &+ UInt64(count))
        }
    }

    /// Opens a record, header included; writes its content to the start of `output`.
    ///
    /// - Returns: The content's type and length, and how many records before it were found to be lost; `nil` where the
    ///   record is not authentic.
    func open(_ record: RawSpan, into output: inout [UInt8]) -> (type: UInt8, count: Int, lost: Int)? {
        if output.count < record.byteCount { output += [UInt8](repeating: 0, count: record.byteCount - output.count) }
        if let skipped = skippedByNonce(record), skipped > 0, skipped <= mayLack,
            let opened = open(record, number: sequence &+ skipped, into: &output)
        {
            return accept(opened, skipped: skipped, record)
        }
        for skipped in 0...mayLack {
            if let opened = open(record, number: sequence &+ skipped, into: &output) {
                return accept(opened, skipped: skipped, record)
            }
        }
        keepLastBlock(of: record)
        isProven = false
        return nil
    }

    private func accept(
        _ opened: (type: UInt8, count: Int),
        skipped: UInt64,
        _ record: RawSpan
    ) -> (type: UInt8, count: Int, lost: Int) {
        keepLastBlock(of: record)
        sequence = sequence &+ skipped &+ 1
        mayLack = 0
        isProven = true
        lastNonce = travellingNonce(record)
        return (opened.type, opened.count, Int(skipped))
    }

    /// The part of the nonce that travels with a record.
    func travellingNonce(_ record: RawSpan) -> UInt64? {
        guard case .explicitNonce = method, record.byteCount >= RecordDecryptor.longestStart else { return nil }
        return record.bigEndian64(RecordDecryptor.headerBytes)
    }

    /// How many records are missing by the nonces, which nearly everybody counts up.
    private func skippedByNonce(_ record: RawSpan) -> UInt64? {
        guard mayLack > 0, let lastNonce, let nonce = travellingNonce(record) else { return nil }
        return nonce &- lastNonce &- 1
    }

    private func open(_ record: RawSpan, number: UInt64, into output: inout [UInt8]) -> (type: UInt8, count: Int)? {
        switch method {
        case .implicitNonce(let cipher, let isTLS13):
            return openImplicit(record, number, cipher, isTLS13, &output)
        case .explicitNonce(let cipher): return openExplicit(record, number, cipher, &output)
        case .cbc(let cipher, let isVectorExplicit, let encryptThenMAC):
            if encryptThenMAC { return openEncryptThenMAC(record, number, cipher, isVectorExplicit, &output) }
            return openCBC(record, number, cipher, isVectorExplicit, &output)
        case .stream: return openStream(record, number, &output)
        case .null: return openNull(record, number, &output)
        }
    }
}

// MARK: - Records that need not be opened

// What nobody reads need not be decrypted, as long as the records are counted and it is known for sure what they hold. That they are
// authentic stays unproven, until the next one that opens proves that all of them were counted.

extension RecordDecryptor {
    /// How long the content of the next record is, told by the record's length, header included; `nil` where that does not tell.
    ///
    /// Before TLS 1.3 an AEAD adds as many bytes to each record, and the content's type stands in clear.
    func statedContent(length: Int) -> Int? {
        guard isProven, mayLack == 0, length >= overhead else { return nil }
        switch method {
        case .implicitNonce(_, isTLS13: false), .explicitNonce: return length - overhead
        case .implicitNonce, .cbc, .stream, .null: return nil
        }
    }

    /// What type of content the next record holds, and how much, told by its last bytes; `nil` where they do not tell.
    ///
    /// TLS 1.3 encrypts the type, and may pad the content: both show at the end, which is decrypted alone.
    ///
    /// - Source: RFC 8446 §5.4.
    func hiddenContent(_ record: RawSpan) -> (type: UInt8, count: Int)? {
        guard isProven, mayLack == 0, case .implicitNonce(let cipher, isTLS13: true) = method else { return nil }
        fillNonce(sequence)
        let sealed = record.extracting(RecordDecryptor.headerBytes..<record.byteCount)
        return cipher.unauthenticatedEnd(of: sealed, nonce: nonce).map { (type: $0.byte, count: $0.offset) }
    }

    /// Counts a record that was passed over; `nonce` is the part of the nonce that travelled with it.
    func passOver(nonce: UInt64?) {
        sequence &+= 1
        lastNonce = nonce
    }
}

// MARK: - AEAD

extension RecordDecryptor {
    private func openImplicit(
        _ record: RawSpan,
        _ number: UInt64,
        _ cipher: AEADCipher,
        _ isTLS13: Bool,
        _ output: inout [UInt8]
    ) -> (type: UInt8, count: Int)? {
        fillNonce(number)
        let sealed = record.extracting(RecordDecryptor.headerBytes..<record.byteCount)
        guard isTLS13 else {
            fillAdditionalData(record, number, count: sealed.byteCount - 16)
            let count = cipher.open(sealed, nonce: nonce, additionalData: additionalData, into: &output)
            return count.map { (record.byte(0), $0) }
        }
        for index in 0..<RecordDecryptor.headerBytes { additionalData[index] = record.byte(index) }
        guard var count = cipher.open(sealed, nonce: nonce, additionalData: additionalData, into: &output) else {
            return nil
        }
        // RFC 8446 §5.4: content, its type, and any number of zeros.
        while count > 0, output[count - 1] == 0 { count -= 1 }
        return count > 0 ? (output[count - 1], count - 1) : (0, 0)
    }

    /// The nonce of a record that brings no part of it along.
    private func fillNonce(_ number: UInt64) {
        for index in 0..<4 { nonce[index] = vector[index] }
        for index in 0..<8 {
            nonce[4 + index] = vector[4 + index] ^ UInt8(truncatingIfNeeded: number >> (56 - 8 * index))
        }
    }

    private func openExplicit(
        _ record: RawSpan,
        _ number: UInt64,
        _ cipher: AEADCipher,
        _ output: inout [UInt8]
    ) -> (type: UInt8, count: Int)? {
        let start = RecordDecryptor.headerBytes + RecordDecryptor.explicitNonceBytes
        guard record.byteCount > start else { return nil }
        for index in 0..<4 { nonce[index] = vector[index] }
        for index in 0..<8 { nonce[4 + index] = record.byte(RecordDecryptor.headerBytes + index) }
        let sealed = record.extracting(start..<record.byteCount)
        fillAdditionalData(record, number, count: sealed.byteCount - macBytes)
        let count = cipher.open(sealed, nonce: nonce, additionalData: additionalData, into: &output)
        return count.map { (record.byte(0), $0) }
    }

    /// seq_num + type + version + length.
    private func fillAdditionalData(_ record: RawSpan, _ number: UInt64, count: Int) {
        for index in 0..<8 { additionalData[index] = UInt8(truncatingIfNeeded: number >> (56 - 8 * index)) }
        for index in 0..<3 { additionalData[8 + index] = record.byte(index) }
        additionalData[11] = UInt8(truncatingIfNeeded: count >> 8)
        additionalData[12] = UInt8(truncatingIfNeeded: count)
    }
}

// MARK: - CBC and nothing

extension RecordDecryptor {
    /// The keyed hash over the numbered record, as long as agreed.
    func mac(_ record: RawSpan, _ number: UInt64, _ content: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        fillAdditionalData(record, number, count: content.count)
        if version < .tls10 { return oldMAC(content)[...] }
        return macHash.hmac(of: additionalData + content, key: macKey).prefix(macBytes)
    }

    /// Decrypts the blocks of a record; returns how many bytes there are.
    private func decryptBlocks(
        _ record: RawSpan,
        _ range: Range<Int>,
        _ cipher: CBCCipher,
        _ isVectorExplicit: Bool,
        _ output: inout [UInt8]
    ) -> Int? {
        let size = cipher.algorithm.blockBytes
        let start = range.lowerBound + (isVectorExplicit ? size : 0)
        guard range.upperBound - start >= size else { return nil }
        if isVectorExplicit {
            for index in 0..<size { vector[index] = record.byte(range.lowerBound + index) }
        }
        let blocks = record.extracting(start..<range.upperBound)
        return cipher.decrypt(blocks, vector: vector, into: &output) ? blocks.byteCount : nil
    }

    /// In TLS 1.0 the last block of a record is the vector of the next one, be it lost or not.
    private func keepLastBlock(of record: RawSpan) {
        guard case .cbc(let cipher, let isVectorExplicit, let encryptThenMAC) = method, !isVectorExplicit else {
            return
        }
        let size = cipher.algorithm.blockBytes
        let start = record.byteCount - (encryptThenMAC ? macBytes : 0) - size
        guard start >= RecordDecryptor.headerBytes else { return }
        for index in 0..<size { vector[index] = record.byte(start + index) }
    }

    /// The length of the content before the padding; `nil` where the padding cannot be.
    private func unpadded(_ output: [UInt8], _ count: Int) -> Int? {
        let rest = count - Int(output[count - 1]) - 1
        return rest >= 0 ? rest : nil
    }

    private func openCBC(
        _ record: RawSpan,
        _ number: UInt64,
        _ cipher: CBCCipher,
        _ isVectorExplicit: Bool,
        _ output: inout [UInt8]
    ) -> (type: UInt8, count: Int)? {
        let range = RecordDecryptor.headerBytes..<record.byteCount
        guard let count = decryptBlocks(record, range, cipher, isVectorExplicit, &output),
            let rest = unpadded(output, count), rest >= macBytes
        else { return nil }
        let content = output[..<(rest - macBytes)]
        let isAuthentic = mac(record, number, content) == output[content.endIndex..<rest]
        return isAuthentic ? (record.byte(0), content.count) : nil
    }

    private func openEncryptThenMAC(
        _ record: RawSpan,
        _ number: UInt64,
        _ cipher: CBCCipher,
        _ isVectorExplicit: Bool,
        _ output: inout [UInt8]
    ) -> (type: UInt8, count: Int)? {
        let range = RecordDecryptor.headerBytes..<max(RecordDecryptor.headerBytes, record.byteCount - macBytes)
        var sealed: [UInt8] = []
        sealed.append(record.extracting(RecordDecryptor.headerBytes..<record.byteCount))
        guard sealed.count > macBytes, mac(record, number, sealed.dropLast(macBytes)) == sealed.suffix(macBytes),
            let count = decryptBlocks(record, range, cipher, isVectorExplicit, &output)
        else { return nil }
        return unpadded(output, count).map { (record.byte(0), $0) }
    }

    private func openNull(
        _ record: RawSpan,
        _ number: UInt64,
        _ output: inout [UInt8]
    ) -> (type: UInt8, count: Int)? {
        var content: [UInt8] = []
        content.append(record.extracting(RecordDecryptor.headerBytes..<record.byteCount))
        guard content.count >= macBytes,
            macKey.isEmpty || mac(record, number, content.dropLast(macBytes)) == content.suffix(macBytes)
        else { return nil }
        var count = content.count - macBytes
        output.replaceSubrange(0..<count, with: content[..<count])
        guard version >= .tls13 else { return (record.byte(0), count) }
        // RFC 9150 §6: the content as in any record of TLS 1.3, with its type behind it.
        while count > 0, output[count - 1] == 0 { count -= 1 }
        return count > 0 ? (output[count - 1], count - 1) : (0, 0)
    }
}
