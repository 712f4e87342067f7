internal import CLibcrypto

/// A server's RSA private key, which old cipher suites let one decrypt with: the safe face of libcrypto's.
@safe
public final class RSAPrivateKey {
    // SAFETY: the key is owned by this object alone, from `init` to `deinit`.
    private let key: OpaquePointer

    /// Reads a key in DER form, PKCS #1 or PKCS #8; `nil` where it is neither, or no RSA key.
    public init?(der: [UInt8]) {
        // SAFETY: libcrypto reads at most as many bytes as stated, and the pointer does not leave the closure.
        let key = unsafe der.withUnsafeBufferPointer { bytes in
            var position = bytes.baseAddress
            return unsafe d2i_AutoPrivateKey(nil, &position, bytes.count)
        }
        guard let key = unsafe key else { return nil }
        unsafe self.key = unsafe key
        guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA else { return nil }
    }

    deinit {
        // SAFETY: nobody uses the key any more.
        unsafe EVP_PKEY_free(key)
    }

    /// Decrypts a premaster secret; `nil` where it was not encrypted for this key.
    ///
    /// - Source: RFC 8017 §7.2.2 (RSAES-PKCS1-v1_5); RFC 5246 §7.4.7.1.
    public func decrypt(_ encrypted: [UInt8]) -> [UInt8]? {
        // SAFETY: libcrypto returns a context or nothing.
        guard let context = unsafe EVP_PKEY_CTX_new(key, nil) else { return nil }
        // SAFETY: the context is this call's own.
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: Int(unsafe EVP_PKEY_get_size(key)))
        var count = output.count
        // SAFETY: libcrypto writes at most `count` bytes and says how many.
        guard unsafe EVP_PKEY_decrypt_init(context) == 1,
            unsafe EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PADDING) == 1,
            unsafe EVP_PKEY_decrypt(context, &output, &count, encrypted, encrypted.count) == 1
        else { return nil }
        return Array(output.prefix(count))
    }
}
