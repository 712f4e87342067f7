import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// What the whole capture shows of accounts: other clients may succeed where one fails.
struct AccountTable: Sendable {
    /// A server or proxy; its realms are not told apart, for credentials that are sent unasked name none.
    private struct Server: Hashable, Sendable {
        let origin: Origin
        let isProxy: Bool

        init(_ space: ProtectionSpace) {
            origin = space.origin
            isProxy = space.isProxy
        }
    }

    /// One password at one server.
    private struct Login: Hashable, Sendable {
        let server: Int
        let password: Secret<[UInt8]>?
    }

    /// One user-pass at one server, as text and in the charset that was sent.
    private struct UserPass: Hashable, Sendable {
        let server: Int
        let text: Secret<String>
        let charset: BasicCredentials.Charset
    }

    /// Which forms of user names a server accepts.
    private struct Forms: OptionSet, Sendable {
        let rawValue: UInt8

        /// Names without a domain.
        static let bare = Forms(rawValue: 1)
        /// Names with a domain.
        static let qualified = Forms(rawValue: 2)
    }

    private var clientsWithMD5: Set<IPAddress> = []
    /// The numbers of the servers that refused a Basic credential.
    private var numbers: [Server: Int] = [:]
    /// The user-ids that were accepted with a password that was refused as well.
    private var acceptedNames: [Login: Set<String>] = [:]
    private var acceptedUserPasses: Set<UserPass> = []
    /// By the number of the server.
    private var acceptedForms: [Forms] = []

    /// Looks at all exchanges twice: only a refusal makes anybody ask for what its server accepts.
    init(_ sessions: Sessions) {
        var refused: Set<Login> = []
        sessions.sessions.forEachSession { noteRefusals(in: $0, &refused) }
        guard !refused.isEmpty else { return }
        // By the number of the space: thousands of sessions ask.
        let servers = sessions.spaces.map { numbers[Server($0)] }
        sessions.sessions.forEachSession { session in
            guard let server = servers[session.space.number - 1] else { return }
            noteSuccesses(in: session, server, refused)
        }
    }

    private mutating func noteRefusals(in session: ClientSession, _ refused: inout Set<Login>) {
        if session.tally.contains(.digest) { noteAlgorithm(in: session) }
        guard session.tally.hasRejected(.basic) else { return }
        let server = number(of: Server(session.space))
        for basic in session.basicCredentials(.rejected) {
            refused.insert(Login(server: server, password: basic.passwordBytes))
        }
    }

    private mutating func noteSuccesses(in session: ClientSession, _ server: Int, _ refused: Set<Login>) {
        guard session.tally.hasAccepted(.basic) else { return }
        for basic in session.basicCredentials(.accepted) { insert(basic, server, refused) }
    }

    private mutating func noteAlgorithm(in session: ClientSession) {
        guard !clientsWithMD5.contains(session.client) else { return }
        let hasMD5 = session.exchanges.contains {
            $0.scheme.kind == .digest && $0.lastLeg.credentials.digest?.effectiveAlgorithm.hash == .md5
        }
        if hasMD5 { clientsWithMD5.insert(session.client) }
    }

    /// The number of a server, which it gets here where it has none.
    private mutating func number(of server: Server) -> Int {
        if let number = numbers[server] { return number }
        numbers[server] = acceptedForms.count
        acceptedForms.append([])
        return acceptedForms.count - 1
    }

    private mutating func insert(_ basic: BasicCredentials, _ server: Int, _ refused: Set<Login>) {
        let login = Login(server: server, password: basic.passwordBytes)
        if refused.contains(login) { acceptedNames[login, default: []].insert(basic.userID) }
        if basic.charset != .ascii { acceptedUserPasses.insert(userPass(of: basic, as: basic.charset, server)) }
        acceptedForms[server].insert(basic.isQualified ? .qualified : .bare)
    }

    private func userPass(of basic: BasicCredentials, as charset: BasicCredentials.Charset, _ server: Int) -> UserPass {
        let text = basic.userID + ":" + (basic.password?.withRevealed { $0 } ?? "")
        return UserPass(server: server, text: Secret(text), charset: charset)
    }

    /// Whether a client answered Digest with MD5 anywhere in the capture.
    func answersDigestWithMD5(_ client: IPAddress) -> Bool { clientsWithMD5.contains(client) }

    /// Another form of the user name, not just in other letters, with which the same password was accepted by a server that refused a Basic
    /// credential; `nil` where there is none.
    func acceptedForm(of basic: BasicCredentials, in space: ProtectionSpace) -> String? {
        guard let server = numbers[Server(space)] else { return nil }
        let name = basic.userID.lowercased()
        let bareName = BasicCredentials.bareName(of: name)
        let login = Login(server: server, password: basic.passwordBytes)
        return acceptedNames[login]?.filter {
            $0.lowercased() != name && BasicCredentials.bareName(of: $0.lowercased()) == bareName
        }.min()
    }

    /// Whether a server that refused a Basic credential accepts user names, all of them without a domain.
    func acceptsOnlyBareNames(in space: ProtectionSpace) -> Bool {
        numbers[Server(space)].map { acceptedForms[$0] == .bare } ?? false
    }

    /// The charset in which the same user-id and password were accepted by a server that refused a Basic credential;
    /// `nil` where there is no other.
    func acceptedCharset(of basic: BasicCredentials, in space: ProtectionSpace) -> BasicCredentials.Charset? {
        guard let server = numbers[Server(space)] else { return nil }
        let other: BasicCredentials.Charset = basic.charset == .latin1 ? .utf8 : .latin1
        return acceptedUserPasses.contains(userPass(of: basic, as: other, server)) ? other : nil
    }
}

extension ClientSession {
    /// The readable Basic credentials of exchanges with an outcome.
    fileprivate func basicCredentials(
        _ outcome: AuthenticationExchange.Outcome
    ) -> some Sequence<BasicCredentials> {
        exchanges.lazy.filter { $0.scheme.kind == .basic && $0.outcome == outcome }
            .compactMap(\.lastLeg.credentials.basic)
    }
}

extension BasicCredentials {
    /// Whether the user-id names a domain, as `DOMAIN\user` or `user@domain`.
    var isQualified: Bool { userIDBytes.contains { $0 == UInt8(ascii: "\\") || $0 == UInt8(ascii: "@") } }

    /// A user-id without a domain.
    static func bareName(of userID: String) -> Substring {
        if let backslash = userID.lastIndex(of: "\\") { return userID[userID.index(after: backslash)...] }
        return userID.prefix { $0 != "@" }
    }
}
