internal import CLibcrypto

/// A hash function that TLS or an authentication scheme uses, alone or keyed: the safe face of libcrypto's digests.
public enum HashFunction: Sendable {
    /// MD5, for TLS 1.1 and older, NTLM and Digest.
    case md5
    /// SHA-1, for TLS 1.1 and older, and Kerberos.
    case sha1
    /// SHA-256.
    case sha256
    /// SHA-384.
    case sha384
    /// SHA-512, which certificates are signed with.
    case sha512
    /// SHA-512/256, which Digest knows.
    case sha512Truncated256

    /// The length of its output, in bytes.
    public var byteCount: Int {
        switch self {
        case .md5: 16
        case .sha1: 20
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        case .sha512Truncated256: 32
        }
    }

    /// The length of the blocks that it reads, in bytes.
    var blockBytes: Int {
        switch self {
        case .md5, .sha1, .sha256: 64
        case .sha384, .sha512, .sha512Truncated256: 128
        }
    }

    var algorithm: OpaquePointer? {
        // SAFETY: libcrypto returns pointers to constants.
        switch self {
        case .md5: unsafe EVP_md5()
        case .sha1: unsafe EVP_sha1()
        case .sha256: unsafe EVP_sha256()
        case .sha384: unsafe EVP_sha384()
        case .sha512: unsafe EVP_sha512()
        case .sha512Truncated256: unsafe EVP_sha512_256()
        }
    }

    /// The hash of a message; empty where libcrypto refuses the function, as a FIPS build does with MD5.
    public func digest(of message: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        // SAFETY: libcrypto writes `byteCount` bytes, which are there, and reads the message alone.
        let status = unsafe EVP_Digest(message, message.count, &output, nil, algorithm, nil)
        return status == 1 ? output : []
    }

    /// The keyed hash of a message (HMAC); empty where libcrypto refuses the function.
    ///
    /// - Source: RFC 2104.
    public func hmac(of message: [UInt8], key: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: byteCount)
        // SAFETY: libcrypto writes `byteCount` bytes, which are there, and reads the key and message alone.
        let result = unsafe HMAC(algorithm, key, Int32(key.count), message, message.count, &output, nil)
        return unsafe result == nil ? [] : output
    }
}
