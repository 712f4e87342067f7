import AuthScanNativeCodecs

/// Derives the keys of records from secrets.
enum KeySchedule {
    /// HKDF-Expand-Label with an empty context.
    ///
    /// - Source: RFC 8446 §7.1; RFC 5869 §2.3.
    static func expandLabel(_ secret: [UInt8], _ label: String, count: Int, _ hash: HashFunction) -> [UInt8] {
        KeyedHash(hash, key: secret).map { expandLabel($0, label, count: count) } ?? []
    }

    /// HKDF-Expand-Label with an empty context, of a secret that several keys are derived from.
    static func expandLabel(_ secret: KeyedHash, _ label: String, count: Int) -> [UInt8] {
        let name = Array("tls13 \(label)".utf8)
        let information = [UInt8(count >> 8), UInt8(count & 0xFF), UInt8(name.count)] + name + [0]
        var output: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 1
        while output.count < count {
            block = secret.hash(of: block + information + [counter])
            // A library that refuses the function gives nothing.
            guard !block.isEmpty else { break }
            output += block
            counter += 1
        }
        return Array(output.prefix(count))
    }

    /// The pseudorandom function of TLS 1.0 to 1.2, and what SSL 3.0 has in its place.
    ///
    /// - Source: RFC 5246 §5; RFC 2246 §5.
    static func pseudorandom(
        _ secret: [UInt8],
        _ label: String,
        _ seed: [UInt8],
        count: Int,
        version: TLSVersion,
        _ hash: HashFunction
    ) -> [UInt8] {
        if version < .tls10 { return expandOld(secret, seed, count: count) }
        let seed = Array(label.utf8) + seed
        if version >= .tls12 { return expand(secret, seed, count: count, hash) }
        // TLS 1.0 and 1.1: the halves of the secret, which share a byte where its length is odd.
        let half = (secret.count + 1) / 2
        let left = expand(Array(secret.prefix(half)), seed, count: count, .md5)
        let right = expand(Array(secret.suffix(half)), seed, count: count, .sha1)
        return zip(left, right).map { $0 ^ $1 }
    }

    /// P_hash.
    private static func expand(_ secret: [UInt8], _ seed: [UInt8], count: Int, _ hash: HashFunction) -> [UInt8] {
        // A library that refuses the function gives nothing.
        guard let keyedHash = KeyedHash(hash, key: secret) else { return [] }
        var output: [UInt8] = []
        var input = seed
        while output.count < count {
            input = keyedHash.hash(of: input)
            guard !input.isEmpty else { break }
            output += keyedHash.hash(of: input + seed)
        }
        return Array(output.prefix(count))
    }

    /// MD5(secret + SHA(letters + secret + seed)), with the letters "A", "BB", "CCC" and so on; labels came later.
    ///
    /// - Source: RFC 6101 §6.1 and §6.2.2.
    private static func expandOld(_ secret: [UInt8], _ seed: [UInt8], count: Int) -> [UInt8] {
        var output: [UInt8] = []
        for letters in 1...26 where output.count < count {
            let salt = [UInt8](repeating: 0x40 + UInt8(letters), count: letters)
            output += HashFunction.md5.digest(of: secret + HashFunction.sha1.digest(of: salt + secret + seed))
        }
        return Array(output.prefix(count))
    }

    /// The master secret of a premaster secret.
    ///
    /// `sessionHash` is the hash of the handshake up to ClientKeyExchange where the extended master secret was agreed upon, and
    /// `nil` where the randoms are the seed.
    ///
    /// - Source: RFC 5246 §8.1; RFC 7627 §4.
    static func masterSecret(
        _ premaster: [UInt8],
        clientRandom: [UInt8],
        serverRandom: [UInt8],
        sessionHash: [UInt8]?,
        version: TLSVersion,
        _ hash: HashFunction
    ) -> [UInt8] {
        pseudorandom(
            premaster,
            sessionHash == nil ? "master secret" : "extended master secret",
            sessionHash ?? clientRandom + serverRandom,
            count: 48,
            version: version,
            hash
        )
    }
}
