import AuthScanBytes
import AuthScanSchemes

/// The keys that the known secrets make for users, each made once.
///
/// A key costs thousands of rounds of a hash function, and a capture says how many: no more than a budget is spent.
struct UserKeys {
    /// A user, and how the key is made of the password.
    struct Request {
        /// The user; `nil` where the message names none.
        let user: PrincipalName?
        /// The user's realm.
        let realm: String
        /// The encryption type of the key.
        let etype: EncryptionType
        /// The salts that the KDC stated; empty where none were captured.
        let hints: [EncryptionTypeInfo]
    }

    /// What came of trying all keys of a user.
    enum Search {
        /// A key fits; the name says what about it is not as stated.
        case found(plain: [UInt8], name: String?)
        /// None fits.
        case wrong
        /// Nothing could be tried; the text says why.
        case cannotTell(String)
    }

    private struct Recipe: Hashable {
        let password: Secret<String>
        let salt: [UInt8]
        let parameters: [UInt8]?
        let etype: EncryptionType
    }

    private let secrets: KnownSecrets
    private var made: [Recipe: KerberosKey] = [:]
    /// How many rounds may still be spent: half a minute's worth.
    private var rounds = 1 << 25

    init(_ secrets: KnownSecrets) { self.secrets = secrets }

    /// Tries the keys of a user on a ciphertext: those of a keytab, those of hashes, and those that passwords make with each salt.
    mutating func search(_ request: Request, opening cipher: [UInt8], usage: UInt32) -> Search {
        let user = request.user?.text
        let passwords = secrets.passwords(for: user)
        let ready = readyKeys(request)
        guard !passwords.isEmpty || !ready.isEmpty else { return .cannotTell("no password is known for this user") }
        for key in ready {
            if let plain = key.decrypt(cipher, usage: usage) { return .found(plain: plain, name: nil) }
        }
        var isComputed = !ready.isEmpty
        for salt in Self.salts(request) {
            for password in passwords {
                guard let key = key(password, salt, request.etype) else { continue }
                isComputed = true
                if let plain = key.decrypt(cipher, usage: usage) { return .found(plain: plain, name: salt.name) }
            }
        }
        return isComputed ? .wrong : .cannotTell("\(request.etype.name) is not computed")
    }

    /// The keys that need no password: the user's own in a keytab, and the NT hash, which is the key of RC4.
    private func readyKeys(_ request: Request) -> [KerberosKey] {
        let hashes = request.etype.isRC4 ? secrets.ntHashes(for: request.user?.text) : []
        let entries = secrets.keytab.filter {
            $0.etype == request.etype && $0.name == request.user?.text && $0.realm == request.realm
        }
        return (hashes.map(\.value) + entries.map(\.key)).compactMap { value in
            value.withRevealed { KerberosKey(request.etype, $0) }
        }
    }

    private mutating func key(
        _ password: KnownSecrets.Password,
        _ salt: Salt,
        _ etype: EncryptionType
    ) -> KerberosKey? {
        let recipe = Recipe(password: password.text, salt: salt.octets, parameters: salt.parameters, etype: etype)
        if let key = made[recipe] { return key }
        let cost = KerberosKey.rounds(of: etype, parameters: salt.parameters)
        guard cost <= rounds else { return nil }
        rounds -= cost
        let key = password.text.withRevealed {
            KerberosKey(password: $0, salt: salt.octets, etype: etype, parameters: salt.parameters)
        }
        made[recipe] = key
        return key
    }

    private struct Salt {
        let octets: [UInt8]
        let parameters: [UInt8]?
        let name: String?
    }

    /// The salts that the KDC stated; without any, the default of realm and name.
    ///
    /// - Source: RFC 4120 §4 (the default salt).
    private static func salts(_ request: Request) -> [Salt] {
        let parts = request.user?.nameString ?? []
        let hints = request.hints.filter { $0.etype == request.etype }
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
