public import AuthScanSchemes
import AuthScanBytes

/// Holds the encrypted time of an AS-REQ against the known passwords.
public struct TimestampProver: Sendable {
    private let secrets: KnownSecrets

    /// Prepares a prover.
    public init(_ secrets: KnownSecrets) { self.secrets = secrets }

    /// Holds the time in a request against the passwords.
    ///
    /// - Parameters:
    ///   - request: The AS-REQ.
    ///   - hints: The salts that the KDC stated, in its KRB-ERROR or AS-REP; empty where none were captured.
    /// - Returns: What the time proves; `nil` for a request without one.
    public func proof(_ request: KDCRequest, hints: [EncryptionTypeInfo]) -> Proof? {
        let parts = request.padata.compactMap { data in
            if case .encryptedTimestamp(let part) = data.content { part } else { nil }
        }
        guard let part = parts.first else { return nil }
        let user = request.cname?.text
        let (passwords, hashes) = (secrets.passwords(for: user), part.etype.isRC4 ? secrets.ntHashes(for: user) : [])
        guard !passwords.isEmpty || !hashes.isEmpty else {
            return Proof(.kerberosTimestamp, .cannotTell("no password is known for this user"))
        }
        let cipher = part.cipher.withRevealed { $0 }
        for hash in hashes {
            guard let key = KerberosKey(part.etype, hash.value.withRevealed { $0 }) else { continue }
            if let proof = opened(cipher, key, nil) { return proof }
        }
        return search(cipher, part.etype, passwords, salts(request, hints.filter { $0.etype == part.etype }))
    }

    private func search(
        _ cipher: [UInt8],
        _ etype: EncryptionType,
        _ passwords: [KnownSecrets.Password],
        _ salts: [Salt]
    ) -> Proof {
        var isComputed = false
        for salt in salts {
            for password in passwords {
                let key = password.text.withRevealed {
                    KerberosKey(password: $0, salt: salt.octets, etype: etype, parameters: salt.parameters)
                }
                guard let key else { continue }
                isComputed = true
                if let proof = opened(cipher, key, salt.name) { return proof }
            }
        }
        return Proof(.kerberosTimestamp, isComputed ? .wrong : .cannotTell("\(etype.name) is not computed"))
    }

    private func opened(_ cipher: [UInt8], _ key: KerberosKey, _ name: String?) -> Proof? {
        guard let plain = key.decrypt(cipher, usage: KeyUsage.preauthenticationTimestamp) else { return nil }
        // A plaintext that passed its checksum and is no time says no more than that the key is right.
        let time = try? PreauthenticationTime(decoding: plain[...])
        let details = time.map { [SchemeField("clientTime", .time(Int($0.time.secondsSinceEpoch)))] } ?? []
        return Proof(.kerberosTimestamp, name.map { .rightForOther($0) } ?? .right, details: details)
    }

    private struct Salt {
        let octets: [UInt8]
        let parameters: [UInt8]?
        let name: String?
    }

    /// The salts that the KDC stated; without any, the default of realm and name.
    ///
    /// - Source: RFC 4120 §4 (the default salt).
    private func salts(_ request: KDCRequest, _ hints: [EncryptionTypeInfo]) -> [Salt] {
        let parts = request.cname?.nameString ?? []
        let usual = Array((request.realm + parts.joined()).utf8)
        let stated = hints.prefix(4).map { Salt(octets: $0.salt ?? usual, parameters: $0.parameters, name: nil) }
        let parameters = hints.first?.parameters
        let folded = Array((request.realm.uppercased() + parts.joined().lowercased()).utf8)
        var salts = stated.isEmpty ? [Salt(octets: usual, parameters: parameters, name: nil)] : stated
        if !salts.contains(where: { $0.octets == folded }) {
            salts.append(Salt(octets: folded, parameters: parameters, name: "realm in upper case, user in lower case"))
        }
        return salts
    }
}
