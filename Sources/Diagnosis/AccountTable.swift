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

    /// One secret of one account at one server.
    private struct Login: Hashable, Sendable {
        let server: Server
        /// The user name without domain, in lower case.
        let name: String
        let password: Secret<String>?
    }

    /// One user-pass at one server, as text and in the charset that was sent.
    private struct UserPass: Hashable, Sendable {
        let server: Server
        let text: Secret<String>
        let charset: BasicCredentials.Charset
    }

    private var clientsWithMD5: Set<IPAddress> = []
    private var acceptedNames: [Login: Set<String>] = [:]
    private var acceptedUserPasses: Set<UserPass> = []
    private var serversOfBareNames: Set<Server> = []
    private var serversOfQualifiedNames: Set<Server> = []

    /// Looks at all exchanges once.
    init(_ sessions: Sessions) {
        var refused: Set<Server> = []
        for exchange in sessions.exchanges {
            switch exchange.scheme.kind {
            case .digest where !clientsWithMD5.contains(exchange.client):
                guard exchange.lastLeg.credentials.digest?.effectiveAlgorithm.hash == .md5 else { continue }
                clientsWithMD5.insert(exchange.client)
            case .basic where exchange.outcome == .rejected: refused.insert(Server(sessions.spaces[exchange.space - 1]))
            default: continue
            }
        }
        // Only a refusal makes anybody ask for what its server accepts.
        guard !refused.isEmpty else { return }
        for exchange in sessions.exchanges where exchange.scheme.kind == .basic && exchange.outcome == .accepted {
            let server = Server(sessions.spaces[exchange.space - 1])
            guard refused.contains(server), let basic = exchange.lastLeg.credentials.basic else { continue }
            insert(basic, server)
        }
    }

    private mutating func insert(_ basic: BasicCredentials, _ server: Server) {
        acceptedNames[login(of: basic, server), default: []].insert(basic.userID)
        if basic.charset != .ascii { acceptedUserPasses.insert(userPass(of: basic, as: basic.charset, server)) }
        if basic.isQualified { serversOfQualifiedNames.insert(server) } else { serversOfBareNames.insert(server) }
    }

    private func login(of basic: BasicCredentials, _ server: Server) -> Login {
        Login(server: server, name: basic.bareName.lowercased(), password: basic.password)
    }

    private func userPass(of basic: BasicCredentials, as charset: BasicCredentials.Charset, _ server: Server)
        -> UserPass
    {
        let text = basic.userID + ":" + (basic.password?.withRevealed { $0 } ?? "")
        return UserPass(server: server, text: Secret(text), charset: charset)
    }

    /// Whether a client answered Digest with MD5 anywhere in the capture.
    func answersDigestWithMD5(_ client: IPAddress) -> Bool { clientsWithMD5.contains(client) }

    /// Another form of the user name, not just in other letters, with which the same password was accepted by a server that refused a Basic
    /// credential; `nil` where there is none.
    func acceptedForm(of basic: BasicCredentials, in space: ProtectionSpace) -> String? {
        let name = basic.userID.lowercased()
        return acceptedNames[login(of: basic, Server(space))]?.filter { $0.lowercased() != name }.min()
    }

    /// Whether a server that refused a Basic credential accepts user names, all of them without a domain.
    func acceptsOnlyBareNames(in space: ProtectionSpace) -> Bool {
        serversOfBareNames.contains(Server(space)) && !serversOfQualifiedNames.contains(Server(space))
    }

    /// The charset in which the same user-id and password were accepted by a server that refused a Basic credential;
    /// `nil` where there is no other.
    func acceptedCharset(of basic: BasicCredentials, in space: ProtectionSpace) -> BasicCredentials.Charset? {
        let other: BasicCredentials.Charset = basic.charset == .latin1 ? .utf8 : .latin1
        return acceptedUserPasses.contains(userPass(of: basic, as: other, Server(space))) ? other : nil
    }
}

extension BasicCredentials {
    /// Whether the user-id names a domain, as `DOMAIN\user` or `user@domain`.
    var isQualified: Bool { userID.contains("\\") || userID.contains("@") }

    /// The user-id without a domain.
    var bareName: Substring {
        if let backslash = userID.lastIndex(of: "\\") { return userID[userID.index(after: backslash)...] }
        return userID.prefix { $0 != "@" }
    }
}
