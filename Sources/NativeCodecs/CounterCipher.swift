internal import CLibcrypto

/// The stream cipher inside an AEAD algorithm, which can begin at any block of a message: the safe face of libcrypto's.
///
/// - Source: NIST SP 800-38D §7.2 (GCM); RFC 8439 §2.4 and §2.8.
@safe
final class CounterCipher {
    /// The length of a block, in bytes.
    let blockBytes: Int

    // SAFETY: the context is owned by this object alone, from `init` to `deinit`.
    private let context: OpaquePointer
    private let isChaCha: Bool
    private var vector = [UInt8](repeating: 0, count: 16)

    /// Prepares decryption with the key of the AEAD algorithm; `nil` for CCM, for another key's length, and where libcrypto refuses.
    init?(_ algorithm: AEADCipher.Algorithm, key: [UInt8]) {
        let cipher: OpaquePointer?
        // SAFETY: libcrypto returns pointers to constants.
        switch algorithm {
        case .aes128GCM: unsafe cipher = unsafe EVP_aes_128_ctr()
        case .aes256GCM: unsafe cipher = unsafe EVP_aes_256_ctr()
        case .chaCha20Poly1305: unsafe cipher = unsafe EVP_chacha20()
        case .aes128CCM, .aes256CCM, .aes128CCM8, .aes256CCM8: return nil
        }
        isChaCha = algorithm == .chaCha20Poly1305
        blockBytes = isChaCha ? 64 : 16
        // SAFETY: libcrypto returns a context or nothing.
        guard key.count == algorithm.keyBytes, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        unsafe self.context = unsafe context
        // SAFETY: the context is fresh, and the key as long as the cipher asks.
        guard unsafe EVP_DecryptInit_ex(context, cipher, nil, key, nil) == 1 else { return nil }
    }

    deinit {
        // SAFETY: nobody uses the context any more.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Decrypts one block of a message, or what there is of its last one.
    ///
    /// - Parameters:
    ///   - bytes: No more than a block.
    ///   - number: How many blocks of the message come before it.
    ///   - nonce: Twelve bytes.
    /// - Returns: As many bytes; none where libcrypto refuses.
    func decrypt(_ bytes: RawSpan, block number: Int, nonce: [UInt8]) -> [UInt8] {
        guard bytes.byteCount <= blockBytes, nonce.count == AEADCipher.nonceBytes else { return [] }
        fillVector(UInt32(truncatingIfNeeded: number), nonce)
        var output = [UInt8](repeating: 0, count: blockBytes)
        var length: Int32 = 0
        // SAFETY: libcrypto reads the bytes and writes as many, for which there is room; the vector has the cipher's length, and no
        // pointer leaves the closure.
        let isDone = unsafe bytes.withUnsafeBytes { input in
            let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return unsafe EVP_DecryptInit_ex(context, nil, nil, nil, vector) == 1
                && EVP_DecryptUpdate(context, &output, &length, source, Int32(input.count)) == 1
        }
        output.removeLast(blockBytes - bytes.byteCount)
        return isDone ? output : []
    }

    /// Sets the vector of a block.
    ///
    /// - AES: nonce; counter, most significant byte first, which is 2 for the first block.
    /// - ChaCha20: counter, least significant byte first, which is 1 for the first block; nonce.
    private func fillVector(_ number: UInt32, _ nonce: [UInt8]) {
        let counter = number &+ (isChaCha ? 1 : 2)
        for index in 0..<4 {
            let shift = UInt32(8 * (isChaCha ? index : 3 - index))
            vector[isChaCha ? index : 12 + index] = UInt8(truncatingIfNeeded: counter >> shift)
        }
        for index in nonce.indices { vector[isChaCha ? 4 + index : index] = nonce[index] }
    }
}
