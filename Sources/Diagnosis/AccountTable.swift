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
        let password: BasicCredentials.PasswordKey
    }

    /// One user-pass at one server, as text and in the charset that was sent.
    private struct UserPass: Hashable, Sendable {
        let server: Int
        let text: Secret<String>
        let charset: BasicCredentials.Charset

        init(_ basic: BasicCredentials, as charset: BasicCredentials.Charset, _ server: Int) {
            self.server = server
            text = Secret(basic.userID + ":" + (basic.password?.withRevealed { $0 } ?? ""))
            self.charset = charset
        }
    }

    /// Which forms of user names a server accepts.
    private struct Forms: OptionSet, Sendable {
        let rawValue: UInt8

        /// Names without a domain.
        static let bare = Forms(rawValue: 1)
        /// Names with a domain.
        static let qualified = Forms(rawValue: 2)
    }

    /// What some of the sessions show of refused credentials, and of what their clients can do.
    private struct Refusals: Sendable {
        var clientsWithMD5: Set<IPAddress> = []
        var logins: Set<Login> = []

        mutating func note(_ session: ClientSession, _ server: Int) {
            if session.tally.hasDigestMD5 { clientsWithMD5.insert(session.client) }
            guard session.tally.hasRejected(.basic) else { return }
            for basic in session.basicCredentials(.rejected) {
                logins.insert(Login(server: server, password: basic.passwordKey))
            }
        }

        mutating func add(_ other: Refusals) {
            clientsWithMD5.formUnion(other.clientsWithMD5)
            logins.formUnion(other.logins)
        }
    }

    /// What some of the sessions show of what those servers accept that refused a Basic credential.
    private struct Successes: Sendable {
        /// The user-ids that were accepted with a password that was refused as well.
        var names: [Login: Set<String>] = [:]
        var userPasses: Set<UserPass> = []
        /// By the number of the server.
        var forms: [Int: Forms] = [:]

        mutating func insert(_ basic: BasicCredentials, _ server: Int, _ refused: Set<Login>) {
            let login = Login(server: server, password: basic.passwordKey)
            if refused.contains(login) { names[login, default: []].insert(basic.userID) }
            if basic.charset != .ascii { userPasses.insert(UserPass(basic, as: basic.charset, server)) }
            let form: Forms = basic.isQualified ? .qualified : .bare
            let known = forms[server] ?? []
            if !known.contains(form) { forms[server] = known.union(form) }
        }

        mutating func add(_ other: Successes) {
            names.merge(other.names) { $0.union($1) }
            userPasses.formUnion(other.userPasses)
            forms.merge(other.forms) { $0.union($1) }
        }
    }

    private let clientsWithMD5: Set<IPAddress>
    /// The numbers of the servers that refused a Basic credential.
    private let numbers: [Server: Int]
    private let accepted: Successes

    /// The table of all sessions, and what comes of two other computations, which run along the way.
    ///
    /// They are looked at twice, shared out among `workers`: only a refusal makes anybody ask for what its server accepts. Beside
    /// each look one of the others runs, so that no worker waits; the second look is the longer one.
    static func table<First: Sendable, Second: Sendable>(
        of sessions: Sessions,
        _ workers: Workers,
        beside first: @Sendable () -> First,
        and second: @Sendable () -> Second
    ) -> (AccountTable, First, Second) {
        let all = sessions.sessions
        var numbers: [Server: Int] = [:]
        // By the number of the space: thousands of sessions ask.
        let servers = sessions.spaces.map { space in
            let number = numbers[Server(space)] ?? numbers.count
            numbers[Server(space)] = number
            return number
        }
        let (refusals, firstResult) = workers.map(all.count) { range in
            var refusals = Refusals()
            all.forEachSession(range) { refusals.note($0, servers[$0.space.number - 1]) }
            return refusals
        } beside: {
            first()
        }
        let refused = refusals.reduce(into: Refusals()) { $0.add($1) }
        let refusing = Set(refused.logins.map(\.server))
        // Nobody asks where nothing was refused.
        let (successes, secondResult) = workers.map(refusing.isEmpty ? 0 : all.count) { range in
            var successes = Successes()
            all.forEachSession(range) { session in
                let server = servers[session.space.number - 1]
                guard session.tally.hasAccepted(.basic), refusing.contains(server) else { return }
                for basic in session.basicCredentials(.accepted) { successes.insert(basic, server, refused.logins) }
            }
            return successes
        } beside: {
            second()
        }
        let table = AccountTable(
            clientsWithMD5: refused.clientsWithMD5,
            numbers: numbers.filter { refusing.contains($0.value) },
            accepted: successes.reduce(into: Successes()) { $0.add($1) }
        )
        return (table, firstResult, secondResult)
    }

    /// Whether a client answered Digest with MD5 anywhere in the capture.
    func answersDigestWithMD5(_ client: IPAddress) -> Bool { clientsWithMD5.contains(client) }

    /// Another form of the user name, not just in other letters, with which the same password was accepted by a server that refused a Basic
    /// credential; `nil` where there is none.
    func acceptedForm(of basic: BasicCredentials, in space: ProtectionSpace) -> String? {
        guard let server = numbers[Server(space)] else { return nil }
        let name = basic.userID.lowercased()
        let bareName = BasicCredentials.bareName(of: name)
        let login = Login(server: server, password: basic.passwordKey)
        return accepted.names[login]?.filter {
            $0.lowercased() != name && BasicCredentials.bareName(of: $0.lowercased()) == bareName
        }.min()
    }

    /// Whether a server that refused a Basic credential accepts user names, all of them without a domain.
    func acceptsOnlyBareNames(in space: ProtectionSpace) -> Bool {
        numbers[Server(space)].map { accepted.forms[$0] == .bare } ?? false
    }

    /// The charset in which the same user-id and password were accepted by a server that refused a Basic credential;
    /// `nil` where there is no other.
    func acceptedCharset(of basic: BasicCredentials, in space: ProtectionSpace) -> BasicCredentials.Charset? {
        guard let server = numbers[Server(space)] else { return nil }
        let other: BasicCredentials.Charset = basic.charset == .latin1 ? .utf8 : .latin1
        return accepted.userPasses.contains(UserPass(basic, as: other, server)) ? other : nil
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
    /// A user-id without a domain.
    static func bareName(of userID: String) -> Substring {
        if let backslash = userID.lastIndex(of: "\\") { return userID[userID.index(after: backslash)...] }
        return userID.prefix { $0 != "@" }
    }
}
