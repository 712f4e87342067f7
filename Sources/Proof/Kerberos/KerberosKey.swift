import AuthScanBytes
import AuthScanNativeCodecs
import AuthScanSchemes

/// A Kerberos key of an encryption type that is still in use.
///
/// - Source: RFC 3961 §5.3; RFC 3962; RFC 4757; RFC 8009.
struct KerberosKey {
    /// What the encryption types are made of.
    private enum Profile {
        case aesSHA1(BlockCipher)
        case aesSHA2(BlockCipher, HashFunction, name: String)
        case rc4
    }

    let etype: EncryptionType
    let value: [UInt8]
    private let profile: Profile

    /// A key; `nil` for an encryption type that is not computed, or a key of a wrong length.
    init?(_ etype: EncryptionType, _ value: [UInt8]) {
        guard let profile = Self.profile(of: etype), value.count == Self.byteCount(profile) else { return nil }
        self.etype = etype
        self.value = value
        self.profile = profile
    }

    /// The key of a password; `nil` for an encryption type that is not computed, or parameters that ask for more than
    /// sixteen million rounds.
    init?(password: String, salt: [UInt8], etype: EncryptionType, parameters: [UInt8]?) {
        guard let profile = Self.profile(of: etype) else { return nil }
        self.etype = etype
        self.profile = profile
        switch profile {
        case .rc4: value = NTLMKeys.ntHash(of: password)
        case .aesSHA1(let cipher):
            let rounds = Self.rounds(parameters) ?? 4096
            let seed = Self.stretch(password, salt, rounds, .sha1, cipher.keyBytes)
            value = Self.derive(Array("kerberos".utf8), from: seed, cipher)
        case .aesSHA2(let cipher, let hash, let name):
            let rounds = Self.rounds(parameters) ?? 32_768
            let seed = Self.stretch(password, Array(name.utf8) + [0] + salt, rounds, hash, cipher.keyBytes)
            value = Self.expand(Array("kerberos".utf8), from: seed, hash, byteCount: cipher.keyBytes)
        }
        guard value.count == Self.byteCount(profile) else { return nil }
    }

    /// How many rounds of a hash function it takes to make a key of a password.
    static func rounds(of etype: EncryptionType, parameters: [UInt8]?) -> Int {
        switch profile(of: etype) {
        case .aesSHA1: rounds(parameters) ?? 4096
        case .aesSHA2: rounds(parameters) ?? 32_768
        case .rc4, nil: 1
        }
    }

    /// The plaintext behind its confounder; `nil` where the checksum does not fit, so that the key or usage is another.
    func decrypt(_ cipher: [UInt8], usage: UInt32) -> [UInt8]? {
        switch profile {
        case .aesSHA1(let algorithm): decryptSHA1(cipher, usage, algorithm)
        case .aesSHA2(let algorithm, let hash, _): decryptSHA2(cipher, usage, algorithm, hash)
        case .rc4: decryptRC4(cipher, usage)
        }
    }

    /// The pseudo-random function.
    ///
    /// - Source: RFC 3962 §6 with RFC 3961 §5.3; RFC 8009 §5; RFC 4757 has none, and RFC 6113's implementations take HMAC-SHA1.
    func pseudoRandom(_ octets: [UInt8]) -> [UInt8] {
        switch profile {
        case .aesSHA1(let cipher):
            let key = Self.derive(Array("prf".utf8), from: value, cipher)
            return cipher.encrypt(Array(HashFunction.sha1.digest(of: octets).prefix(16)), key: key)
        case .aesSHA2(_, let hash, _):
            let length = Self.octets(UInt32(hash.byteCount * 8))
            return hash.hmac(of: Self.octets(1) + Array("prf".utf8) + [0] + octets + length, key: value)
        case .rc4: return HashFunction.sha1.hmac(of: octets, key: value)
        }
    }

    // MARK: - Encryption types

    private static func profile(of etype: EncryptionType) -> Profile? {
        switch etype.rawValue {
        case 17: .aesSHA1(.aes128)
        case 18: .aesSHA1(.aes256)
        case 19: .aesSHA2(.aes128, .sha256, name: "aes128-cts-hmac-sha256-128")
        case 20: .aesSHA2(.aes256, .sha384, name: "aes256-cts-hmac-sha384-192")
        case 23: .rc4
        default: nil
        }
    }

    private static func byteCount(_ profile: Profile) -> Int {
        switch profile {
        case .aesSHA1(let cipher), .aesSHA2(let cipher, _, _): cipher.keyBytes
        case .rc4: 16
        }
    }

    /// Four octets, most significant first; zero would mean 2³², and is refused with other enormous numbers.
    private static func rounds(_ parameters: [UInt8]?) -> Int? {
        guard let parameters, parameters.count == 4 else { return nil }
        let rounds = parameters.reduce(0) { $0 << 8 | Int($1) }
        return rounds == 0 ? .max : rounds
    }

    private static func stretch(
        _ password: String,
        _ salt: [UInt8],
        _ rounds: Int,
        _ hash: HashFunction,
        _ byteCount: Int
    ) -> [UInt8] {
        PasswordDerivation.key(
            password: Array(password.utf8),
            salt: salt,
            iterations: rounds,
            hash: hash,
            byteCount: byteCount
        )
    }

    // MARK: - AES with SHA-1

    /// DK: the constant is folded to a block and encrypted until there is enough.
    ///
    /// - Source: RFC 3961 §5.1.
    private static func derive(_ constant: [UInt8], from key: [UInt8], _ cipher: BlockCipher) -> [UInt8] {
        var block = constant.count == 16 ? constant : nFold(constant, to: 16)
        var output: [UInt8] = []
        while output.count < cipher.keyBytes {
            block = cipher.encrypt(block, key: key)
            guard !block.isEmpty else { return [] }
            output += block
        }
        return Array(output.prefix(cipher.keyBytes))
    }

    private func decryptSHA1(_ cipher: [UInt8], _ usage: UInt32, _ algorithm: BlockCipher) -> [UInt8]? {
        guard cipher.count >= 16 + 12 else { return nil }
        let encryption = Self.derive(Self.octets(usage) + [0xAA], from: value, algorithm)
        let integrity = Self.derive(Self.octets(usage) + [0x55], from: value, algorithm)
        let plain = CiphertextStealing.decrypt(cipher.dropLast(12), with: algorithm, key: encryption)
        guard plain.count == cipher.count - 12,
            HashFunction.sha1.hmac(of: plain, key: integrity).prefix(12) == cipher.suffix(12)
        else { return nil }
        return Array(plain.dropFirst(16))
    }

    // MARK: - AES with SHA-2

    /// KDF-HMAC-SHA2.
    ///
    /// - Source: RFC 8009 §3.
    private static func expand(_ label: [UInt8], from key: [UInt8], _ hash: HashFunction, byteCount: Int) -> [UInt8] {
        let message = octets(1) + label + [0] + octets(UInt32(byteCount * 8))
        return Array(hash.hmac(of: message, key: key).prefix(byteCount))
    }

    private func decryptSHA2(
        _ cipher: [UInt8],
        _ usage: UInt32,
        _ algorithm: BlockCipher,
        _ hash: HashFunction
    ) -> [UInt8]? {
        let checksumBytes = hash.byteCount / 2
        guard cipher.count >= 16 + checksumBytes else { return nil }
        let (body, checksum) = (cipher.dropLast(checksumBytes), cipher.suffix(checksumBytes))
        let integrity = Self.expand(Self.octets(usage) + [0x55], from: value, hash, byteCount: checksumBytes)
        let vector = [UInt8](repeating: 0, count: 16)
        guard hash.hmac(of: vector + body, key: integrity).prefix(checksumBytes) == checksum else { return nil }
        let encryption = Self.expand(Self.octets(usage) + [0xAA], from: value, hash, byteCount: algorithm.keyBytes)
        let plain = CiphertextStealing.decrypt(body, with: algorithm, key: encryption)
        return plain.count == body.count ? Array(plain.dropFirst(16)) : nil
    }

    // MARK: - RC4

    /// - Source: RFC 4757 §3 (usages), §5.
    private func decryptRC4(_ cipher: [UInt8], _ usage: UInt32) -> [UInt8]? {
        guard cipher.count >= 16 + 8 else { return nil }
        let number: UInt32 =
            switch usage {
            case 3, 9: 8
            case 23: 13
            default: usage
            }
        let salted = HashFunction.md5.hmac(of: Self.octets(number).reversed(), key: value)
        let checksum = Array(cipher.prefix(16))
        let key = HashFunction.md5.hmac(of: checksum, key: salted)
        let plain = RC4.apply(Array(cipher.dropFirst(16)), key: key)
        guard HashFunction.md5.hmac(of: plain, key: salted) == checksum else { return nil }
        return Array(plain.dropFirst(8))
    }

    /// A number in four octets, most significant first.
    private static func octets(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * $0)) }
    }
}
