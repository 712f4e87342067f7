internal import CLibcrypto

/// A cipher that decrypts and authenticates in one: the safe face of libcrypto's AEAD algorithms.
///
/// - Source: RFC 5116; RFC 5288 (GCM), RFC 6655 (CCM), RFC 8439 (ChaCha20-Poly1305).
@safe
public final class AEADCipher {
    /// The algorithms of TLS.
    public enum Algorithm: Sendable {
        /// AES with a key of 128 bits, Galois/counter mode.
        case aes128GCM
        /// AES with a key of 256 bits, Galois/counter mode.
        case aes256GCM
        /// AES with a key of 128 bits, counter mode with CBC-MAC.
        case aes128CCM
        /// AES with a key of 256 bits, counter mode with CBC-MAC.
        case aes256CCM
        /// AES with a key of 128 bits, CCM with a tag of eight bytes.
        case aes128CCM8
        /// AES with a key of 256 bits, CCM with a tag of eight bytes.
        case aes256CCM8
        /// ChaCha20 with Poly1305.
        case chaCha20Poly1305

        /// The length of the key, in bytes.
        public var keyBytes: Int {
            switch self {
            case .aes128GCM, .aes128CCM, .aes128CCM8: 16
            case .aes256GCM, .aes256CCM, .aes256CCM8, .chaCha20Poly1305: 32
            }
        }

        /// The length of the authentication tag, in bytes.
        public var tagBytes: Int { self == .aes128CCM8 || self == .aes256CCM8 ? 8 : 16 }

        fileprivate var isCCM: Bool {
            switch self {
            case .aes128CCM, .aes256CCM, .aes128CCM8, .aes256CCM8: true
            case .aes128GCM, .aes256GCM, .chaCha20Poly1305: false
            }
        }

        fileprivate var cipher: OpaquePointer? {
            // SAFETY: libcrypto returns pointers to constants.
            switch self {
            case .aes128GCM: unsafe EVP_aes_128_gcm()
            case .aes256GCM: unsafe EVP_aes_256_gcm()
            case .aes128CCM, .aes128CCM8: unsafe EVP_aes_128_ccm()
            case .aes256CCM, .aes256CCM8: unsafe EVP_aes_256_ccm()
            case .chaCha20Poly1305: unsafe EVP_chacha20_poly1305()
            }
        }
    }

    /// The length of a nonce, in bytes: the same for all of them in TLS.
    public static let nonceBytes = 12

    private let algorithm: Algorithm
    private let key: [UInt8]
    // SAFETY: the context is owned by this object alone, from `init` to `deinit`.
    private let context: OpaquePointer
    /// Decrypts single blocks; made for whoever asks.
    private lazy var blocks = CounterCipher(algorithm, key: key)

    /// Prepares decryption with a key; `nil` where its length is not the algorithm's, or libcrypto refuses.
    public init?(_ algorithm: Algorithm, key: [UInt8]) {
        // SAFETY: libcrypto returns a context or nothing.
        guard key.count == algorithm.keyBytes, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        self.algorithm = algorithm
        self.key = key
        unsafe self.context = unsafe context
        // SAFETY: the context is fresh, and the key as long as the cipher asks.
        let isReady = unsafe EVP_DecryptInit_ex(context, algorithm.cipher, nil, algorithm.isCCM ? nil : key, nil) == 1
        guard isReady else { return nil }
    }

    deinit {
        // SAFETY: nobody uses the context any more.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Decrypts a message that its tag follows; writes the plaintext to the start of `output`.
    ///
    /// - Parameters:
    ///   - sealed: The ciphertext and its tag.
    ///   - nonce: Twelve bytes.
    ///   - additionalData: What is authenticated with the message.
    ///   - output: Must be at least as long as the ciphertext; holds no secret of use where the tag is wrong.
    /// - Returns: The length of the plaintext; `nil` where the tag is wrong or the lengths cannot be.
    public func open(_ sealed: RawSpan, nonce: [UInt8], additionalData: [UInt8], into output: inout [UInt8]) -> Int? {
        let count = sealed.byteCount - algorithm.tagBytes
        guard count >= 0, output.count >= count, nonce.count == AEADCipher.nonceBytes else { return nil }
        // SAFETY: libcrypto reads the sealed bytes and writes `count` bytes; both lengths were checked, and the pointers do
        // not leave the closures.
        let isAuthentic = unsafe sealed.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBufferPointer { target in
                // A tag has bytes, so that there are some.
                guard let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return false }
                if algorithm.isCCM {
                    return unsafe openCCM(source, count, nonce, additionalData, target.baseAddress)
                }
                return unsafe openStream(source, count, nonce, additionalData, target.baseAddress)
            }
        }
        return isAuthentic ? count : nil
    }

    /// Decrypts as much of a message's end as it takes to find its last byte that is not zero, and authenticates nothing.
    ///
    /// - Parameters:
    ///   - sealed: The ciphertext and its tag.
    ///   - nonce: Twelve bytes.
    /// - Returns: The byte and its offset in the plaintext; `nil` where the last block has zeros alone, and with CCM.
    public func unauthenticatedEnd(of sealed: RawSpan, nonce: [UInt8]) -> (offset: Int, byte: UInt8)? {
        let count = sealed.byteCount - algorithm.tagBytes
        guard count > 0, let blocks else { return nil }
        let number = (count - 1) / blocks.blockBytes
        let start = number * blocks.blockBytes
        let end = blocks.decrypt(sealed.extracting(start..<count), block: number, nonce: nonce)
        return end.lastIndex { $0 != 0 }.map { (start + $0, end[$0]) }
    }

    /// GCM and ChaCha20-Poly1305: the tag is checked at the end.
    private func openStream(
        _ source: UnsafePointer<UInt8>,
        _ count: Int,
        _ nonce: [UInt8],
        _ additionalData: [UInt8],
        _ target: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        var length: Int32 = 0
        var rest: UInt8 = 0
        // SAFETY: see `open`; the tag follows the message and is only read, and finishing such a cipher writes nothing.
        let tag = unsafe UnsafeMutableRawPointer(mutating: source + count)
        guard unsafe EVP_DecryptInit_ex(context, nil, nil, nil, nonce) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &length, additionalData, Int32(additionalData.count)) == 1,
            unsafe count == 0 || EVP_DecryptUpdate(context, target, &length, source, Int32(count)) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(algorithm.tagBytes), tag) == 1
        else { return false }
        return unsafe EVP_DecryptFinal_ex(context, &rest, &length) == 1
    }

    /// CCM: the lengths and the tag are stated before the message, and decryption itself checks it.
    private func openCCM(
        _ source: UnsafePointer<UInt8>,
        _ count: Int,
        _ nonce: [UInt8],
        _ additionalData: [UInt8],
        _ target: UnsafeMutablePointer<UInt8>?
    ) -> Bool {
        var length: Int32 = 0
        // SAFETY: see `open`; the tag follows the message and is only read, and the key has the cipher's length.
        let tag = unsafe UnsafeMutableRawPointer(mutating: source + count)
        guard unsafe EVP_DecryptInit_ex(context, algorithm.cipher, nil, nil, nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, Int32(nonce.count), nil) == 1,
            unsafe EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(algorithm.tagBytes), tag) == 1,
            unsafe EVP_DecryptInit_ex(context, nil, nil, key, nonce) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &length, nil, Int32(count)) == 1,
            unsafe EVP_DecryptUpdate(context, nil, &length, additionalData, Int32(additionalData.count)) == 1
        else { return false }
        return unsafe EVP_DecryptUpdate(context, target, &length, source, Int32(count)) == 1
    }
}
