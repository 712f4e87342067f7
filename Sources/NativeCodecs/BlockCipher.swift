internal import CLibcrypto

/// A block cipher applied to blocks one by one (ECB), from which modes are built: the safe face of libcrypto's.
///
/// - Source: NIST SP 800-38A §6.1.
public enum BlockCipher: Sendable {
    /// AES with a key of 128 bits.
    case aes128
    /// AES with a key of 256 bits.
    case aes256
    /// DES, for NTLM's oldest responses.
    case des

    /// The length of the key, in bytes.
    public var keyBytes: Int {
        switch self {
        case .aes128: 16
        case .aes256: 32
        case .des: 8
        }
    }

    /// The length of a block, in bytes.
    public var blockBytes: Int { self == .des ? 8 : 16 }

    private var algorithm: OpaquePointer? {
        // SAFETY: libcrypto returns pointers to constants.
        switch self {
        case .aes128: unsafe EVP_aes_128_ecb()
        case .aes256: unsafe EVP_aes_256_ecb()
        // libcrypto 3 has single DES in its legacy provider alone; three times with one key is the same.
        case .des: unsafe EVP_des_ede3_ecb()
        }
    }

    /// Encrypts whole blocks; empty where a length is wrong, or libcrypto refuses.
    public func encrypt(_ blocks: [UInt8], key: [UInt8]) -> [UInt8] { apply(blocks, key: key, encrypts: 1) }

    /// Decrypts whole blocks; empty where a length is wrong, or libcrypto refuses.
    public func decrypt(_ blocks: [UInt8], key: [UInt8]) -> [UInt8] { apply(blocks, key: key, encrypts: 0) }

    private func apply(_ blocks: [UInt8], key: [UInt8], encrypts: Int32) -> [UInt8] {
        guard key.count == keyBytes, !blocks.isEmpty, blocks.count % blockBytes == 0, blocks.count < 1 << 30 else {
            return []
        }
        let key = self == .des ? key + key + key : key
        // SAFETY: libcrypto returns a context or nothing; it is freed below, and does not leave this function.
        guard let context = unsafe EVP_CIPHER_CTX_new() else { return [] }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        // SAFETY: the context is fresh, and the key as long as the cipher asks; ECB takes no vector.
        guard unsafe EVP_CipherInit_ex(context, algorithm, nil, key, nil, encrypts) == 1,
            unsafe EVP_CIPHER_CTX_set_padding(context, 0) == 1
        else { return [] }
        var output = [UInt8](repeating: 0, count: blocks.count + blockBytes)
        var length: Int32 = 0
        // SAFETY: libcrypto reads the blocks and, without padding, writes as many bytes; there is room for a block more.
        let status = unsafe EVP_CipherUpdate(context, &output, &length, blocks, Int32(blocks.count))
        return status == 1 && Int(length) == blocks.count ? Array(output.prefix(blocks.count)) : []
    }
}
