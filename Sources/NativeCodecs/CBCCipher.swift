internal import CLibcrypto

/// A block cipher in CBC mode, without padding of its own: the safe face of libcrypto's, and of ours where it has none.
///
/// - Source: NIST SP 800-38A §6.2.
@safe
public final class CBCCipher {
    /// The block ciphers of TLS.
    public enum Algorithm: Sendable {
        /// AES with a key of 128 bits.
        case aes128
        /// AES with a key of 256 bits.
        case aes256
        /// DES three times, with three keys.
        case tripleDES
        /// DES.
        case des
        /// Camellia with a key of 128 bits.
        case camellia128
        /// Camellia with a key of 256 bits.
        case camellia256
        /// IDEA.
        case idea
        /// RC2 with a key of 128 bits, all of which are effective.
        case rc2
        /// SEED.
        case seed

        /// The length of the key, in bytes.
        public var keyBytes: Int {
            switch self {
            case .aes128, .camellia128, .idea, .rc2, .seed: 16
            case .aes256, .camellia256: 32
            case .tripleDES: 24
            case .des: 8
            }
        }

        /// The length of a block, and of the initialization vector, in bytes.
        public var blockBytes: Int {
            switch self {
            case .tripleDES, .des, .idea, .rc2: 8
            case .aes128, .aes256, .camellia128, .camellia256, .seed: 16
            }
        }

        /// Whether this system has it: libcrypto's legacy provider may be missing.
        public var isAvailable: Bool {
            switch self {
            case .rc2, .seed: unsafe cipher != nil
            case .aes128, .aes256, .tripleDES, .des, .camellia128, .camellia256, .idea: true
            }
        }

        fileprivate var cipher: OpaquePointer? {
            // SAFETY: libcrypto returns pointers to constants.
            switch self {
            case .aes128: unsafe EVP_aes_128_cbc()
            case .aes256: unsafe EVP_aes_256_cbc()
            // libcrypto 3 has single DES in its legacy provider alone; three times with one key is the same.
            case .tripleDES, .des: unsafe EVP_des_ede3_cbc()
            case .camellia128: unsafe EVP_camellia_128_cbc()
            case .camellia256: unsafe EVP_camellia_256_cbc()
            case .rc2: unsafe LegacyProvider.rc2CBC
            case .seed: unsafe LegacyProvider.seedCBC
            case .idea: nil
            }
        }
    }

    /// The cipher.
    public let algorithm: Algorithm
    // SAFETY: the context is owned by this object alone, from `init` to `deinit`.
    private let context: OpaquePointer
    /// What decrypts in place of libcrypto.
    private let idea: IDEACipher?

    /// Prepares decryption with a key; `nil` where its length is not the algorithm's, or libcrypto refuses.
    public init?(_ algorithm: Algorithm, key: [UInt8]) {
        // SAFETY: libcrypto returns a context or nothing.
        guard key.count == algorithm.keyBytes, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        self.algorithm = algorithm
        unsafe self.context = unsafe context
        idea = algorithm == .idea ? IDEACipher(key: key) : nil
        if idea != nil { return }
        let key = algorithm == .des ? key + key + key : key
        // SAFETY: the context is fresh, and the key as long as the cipher asks.
        guard unsafe EVP_DecryptInit_ex(context, algorithm.cipher, nil, key, nil) == 1 else { return nil }
    }

    deinit {
        // SAFETY: nobody uses the context any more.
        unsafe EVP_CIPHER_CTX_free(context)
    }

    /// Decrypts whole blocks; writes the plaintext, which is as long, to the start of `output`.
    ///
    /// `false` where the length is no multiple of the block's, `output` is too short, or the vector's length is wrong.
    public func decrypt(_ blocks: RawSpan, vector: [UInt8], into output: inout [UInt8]) -> Bool {
        let count = blocks.byteCount
        guard count > 0, count % algorithm.blockBytes == 0, output.count >= count,
            vector.count == algorithm.blockBytes
        else { return false }
        if let idea {
            // SAFETY: the bytes are copied before they leave the closure.
            idea.decrypt(unsafe blocks.withUnsafeBytes { unsafe Array($0) }, vector: vector, into: &output)
            return true
        }
        var length: Int32 = 0
        // SAFETY: libcrypto reads `count` bytes and, without padding, writes as many; the pointers do not leave the closures.
        return unsafe blocks.withUnsafeBytes { input in
            unsafe output.withUnsafeMutableBufferPointer { target in
                guard unsafe EVP_DecryptInit_ex(context, nil, nil, nil, vector) == 1,
                    unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
                else { return false }
                let source = unsafe input.baseAddress?.assumingMemoryBound(to: UInt8.self)
                return unsafe EVP_DecryptUpdate(context, target.baseAddress, &length, source, Int32(count)) == 1
            }
        }
    }
}
