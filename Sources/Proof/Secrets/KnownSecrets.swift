public import AuthScanBytes

/// What the user believes to be right: passwords, NT hashes and a keytab, against which captured proofs are held.
///
/// This is no search for passwords: few are taken, and none is made up.
public struct KnownSecrets: Sendable {
    /// How many passwords and hashes are taken together.
    public static let limit = 64

    /// A password, for one user or for any.
    public struct Password: Hashable, Sendable {
        /// The user that it is for; `nil` for any.
        public let user: String?
        /// The password.
        public let text: Secret<String>

        /// States a password.
        public init(user: String?, text: Secret<String>) {
            self.user = user
            self.text = text
        }
    }

    /// The NT hash of a password, for one user or for any.
    public struct NTHash: Hashable, Sendable {
        /// The user that it is for; `nil` for any.
        public let user: String?
        /// The hash: 16 bytes.
        public let value: Secret<[UInt8]>
    }

    /// The passwords.
    public var passwords: [Password] = []
    /// The NT hashes.
    public var ntHashes: [NTHash] = []
    /// The keys of services.
    public var keytab: [KeytabEntry] = []

    /// No secrets.
    public init() {}

    /// Whether nothing is known.
    public var isEmpty: Bool { passwords.isEmpty && ntHashes.isEmpty && keytab.isEmpty }

    /// The passwords that may belong to a user; all where the user is not visible.
    func passwords(for user: String?) -> [Password] { passwords.filter { Self.matches($0.user, user) } }

    /// The NT hashes that may belong to a user.
    func ntHashes(for user: String?) -> [NTHash] { ntHashes.filter { Self.matches($0.user, user) } }

    /// Whether two names are those of one user, whatever domain stands before or behind them.
    private static func matches(_ known: String?, _ user: String?) -> Bool {
        guard let known, let user else { return true }
        return bare(known) == bare(user)
    }

    private static func bare(_ user: String) -> String {
        let name = user.split(separator: "\\", maxSplits: 1, omittingEmptySubsequences: false).last ?? ""
        return (name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false).first ?? "").lowercased()
    }
}
