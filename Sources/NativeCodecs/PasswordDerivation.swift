internal import CLibcrypto

/// Keys from passwords (PBKDF2): the safe face of libcrypto's.
///
/// - Source: RFC 8018 §5.2.
public enum PasswordDerivation {
    /// The key of a password; empty where a number is out of range, or libcrypto refuses.
    public static func key(
        password: [UInt8],
        salt: [UInt8],
        iterations: Int,
        hash: HashFunction,
        byteCount: Int
    ) -> [UInt8] {
        guard (1...1 << 24).contains(iterations), (1...1 << 10).contains(byteCount) else { return [] }
        var output = [UInt8](repeating: 0, count: byteCount)
        // SAFETY: libcrypto reads the password as bytes and the salt, and writes `byteCount` bytes, which are there.
        let status = unsafe password.withUnsafeBytes { password in
            let text = unsafe password.baseAddress?.assumingMemoryBound(to: CChar.self)
            return unsafe PKCS5_PBKDF2_HMAC(
                text,
                Int32(password.count),
                salt,
                Int32(salt.count),
                Int32(iterations),
                hash.algorithm,
                Int32(byteCount),
                &output
            )
        }
        return status == 1 ? output : []
    }
}
