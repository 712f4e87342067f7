import AuthScanSchemes
import AuthScanWire

/// Tells the protection spaces of one client at one server apart, and gives each transaction to the one it belongs to.
///
/// - A challenge names its realm, and with it its space (RFC 9110 §11.5).
/// - A leg of NTLM or Negotiate stays in the space of its handshake, and a request on a connection that such a
///   handshake authenticated stays with it.
/// - Any other request belongs to the space that guards the longest prefix of its path (RFC 7617 §2.2), else to the
///   latest one.
/// - What comes before the first challenge or credential belongs to the first space.
struct SpaceTracker {
    private struct Draft {
        var realm: String?
        var schemes: [AuthenticationScheme] = []
        var schemeKinds = SchemeKinds()
        /// The latest bare request that was challenged, until credentials answer.
        var unansweredChallenge: Transaction?
    }

    /// What belongs to a space: a transaction by its place, and the index of its exchange, −1 where it has none.
    private struct Member {
        let transaction: Int32
        let space: Int32
        let exchange: Int32
    }

    /// Those of the client and server, in packet order.
    private let transactions: [Transaction]
    private let target: AuthenticationTarget
    private var drafts: [Draft] = []
    private var spaceOfConnection: [Int: Int] = [:]
    private var directories = DirectoryTable()
    /// How many of the members the table of directories has seen: where a server has one space, nobody ever asks it.
    private var membersInDirectories = 0
    private var latest: Int?
    /// The transactions in packet order; what comes before the first space is of it.
    private var members: [Member] = []
    private var exchanges: ExchangeTracker
    /// Whether anything speaks of a login: without it a group of transactions is no session.
    private var isLoginSeen = false

    /// Takes the transactions of one client and server, in packet order.
    ///
    /// `isLoginSeen` says whether the server asks for client certificates, or for HTTP/1.1, which it needs for a login.
    init(_ transactions: [Transaction], target: AuthenticationTarget, isLoginSeen: Bool = false) {
        self.transactions = transactions
        self.target = target
        self.isLoginSeen = isLoginSeen
        exchanges = ExchangeTracker(target: target, count: transactions.count)
        members.reserveCapacity(transactions.count)
        for place in transactions.indices { receive(Int32(place)) }
    }

    private mutating func receive(_ place: Int32) {
        let transaction = transactions[Int(place)]
        let summary = transaction.summary
        let isRefused = summary.status == target.refusalStatus
        // What neither brings credentials nor is refused, as many do not, need not be asked for its fields.
        guard isRefused || summary.hasCredentials(for: target) else {
            let space = spaceOfBare(transaction)
            if space == nil { noteLogin(transaction) }
            return add(place, to: space)
        }
        let fields = transaction.fields(for: target)
        let credentials = fields.credentials.first
        guard let index = space(of: transaction, fields, credentials, isRefused: isRefused) else {
            noteLogin(transaction)
            return add(place, to: nil)
        }
        latest = index
        if isRefused { for challenge in fields.challenges { noteScheme(challenge.scheme, in: index) } }
        guard let credentials else {
            drafts[index].unansweredChallenge = transaction
            return add(place, to: index)
        }
        noteScheme(credentials.scheme, in: index)
        if fields.credentials.count > 1 {
            for credentials in fields.credentials { noteScheme(credentials.scheme, in: index) }
        }
        let exchange = exchanges.receive(
            transaction,
            with: credentials,
            in: Int32(index),
            challenged: drafts[index].unansweredChallenge
        )
        drafts[index].unansweredChallenge = nil
        members.append(Member(transaction: place, space: Int32(index), exchange: Int32(exchange)))
    }

    /// Adds a transaction without an exchange to a space; to the first one, where its own is not known.
    private mutating func add(_ place: Int32, to space: Int?) {
        if let space { latest = space }
        members.append(Member(transaction: place, space: Int32(space ?? 0), exchange: -1))
    }

    /// The space of a request without credentials that was not refused; `nil` before there is any.
    private mutating func spaceOfBare(_ transaction: Transaction) -> Int? {
        if !spaceOfConnection.isEmpty, let space = spaceOfConnection[transaction.connection] { return space }
        return spaceByPath(of: transaction) ?? latest
    }

    /// Notes what speaks of a login before there is any space.
    private mutating func noteLogin(_ transaction: Transaction) {
        isLoginSeen =
            isLoginSeen || transaction.isFormLogin || transaction.status == target.refusalStatus
            || transaction.status == 403 || transaction.isPortalAnswer || transaction.isDataRequestSentToLogin
    }

    private mutating func space(
        of transaction: Transaction,
        _ fields: AuthenticationFields,
        _ credentials: Credentials?,
        isRefused: Bool
    ) -> Int? {
        if let credentials {
            let isBound = credentials.scheme.requiresSameConnection
            if isBound, let open = spaceOfConnection[transaction.connection] { return open }
            let index = spaceOfCredentials(credentials, fields, transaction, isRefused: isRefused)
            if isBound { spaceOfConnection[transaction.connection] = index }
            return index
        }
        if isRefused, !fields.challenges.isEmpty { return find(realm: fields.realm) { fields.schemes } }
        return spaceOfBare(transaction) ?? (isRefused ? find(realm: nil) { [] } : nil)
    }

    private mutating func spaceOfCredentials(
        _ credentials: Credentials,
        _ fields: AuthenticationFields,
        _ transaction: Transaction,
        isRefused: Bool
    ) -> Int {
        if let realm = isRefused ? fields.realm : credentials.realm {
            // An answer whose realm nobody offered is an answer to the latest challenge all the same.
            let isKnown = drafts.isEmpty || drafts.contains { $0.realm == realm || $0.realm == nil }
            if isKnown || fields.realm != nil {
                // A refusal names the schemes of its space; the one that was sent may belong to none.
                return find(realm: realm) { fields.schemes + [credentials.scheme] }
            }
        }
        return spaceByPath(of: transaction) ?? latest ?? find(realm: nil) { [credentials.scheme] }
    }

    /// The space with this realm; `schemes` is asked where the realm alone does not tell.
    ///
    /// Where one of the two has no realm and they share a scheme, they are one space: a server that offers
    /// `NTLM, Basic realm="x"` names the realm in some of its challenges only.
    private mutating func find(realm: String?, schemes: () -> [AuthenticationScheme]) -> Int {
        if let realm, let index = drafts.firstIndex(where: { $0.realm == realm }) { return index }
        if !drafts.isEmpty, let index = findRelated(realm, schemes()) { return index }
        drafts.append(Draft(realm: realm))
        return drafts.count - 1
    }

    private mutating func findRelated(_ realm: String?, _ schemes: [AuthenticationScheme]) -> Int? {
        let isRelated = { (draft: Draft) in
            schemes.isEmpty || draft.schemes.isEmpty || draft.schemes.contains(where: schemes.contains)
        }
        guard let realm else { return drafts.lastIndex(where: isRelated) }
        guard let index = drafts.firstIndex(where: { $0.realm == nil && isRelated($0) }) else { return nil }
        drafts[index].realm = realm
        return index
    }

    private mutating func noteScheme(_ scheme: AuthenticationScheme, in index: Int) {
        // Of every kind but the last there is one scheme; and a bare token has none.
        if drafts[index].schemeKinds.contains(scheme.kind) && scheme.kind != .other || scheme.rawValue.isEmpty {
            return
        }
        drafts[index].schemeKinds.insert(scheme.kind)
        if !drafts[index].schemes.contains(scheme) { drafts[index].schemes.append(scheme) }
    }

    /// The space that guards the longest prefix of a request's path.
    private mutating func spaceByPath(of transaction: Transaction) -> Int? {
        if drafts.count <= 1 { return drafts.isEmpty ? nil : 0 }
        for member in members[membersInDirectories...] where isGuarded(member) {
            directories.note(transactions[Int(member.transaction)], in: Int(member.space))
        }
        membersInDirectories = members.count
        return directories.space(guarding: transaction)
    }

    /// Whether a request shows that its space guards its directory.
    private func isGuarded(_ member: Member) -> Bool {
        if member.exchange >= 0 { return true }
        let transaction = transactions[Int(member.transaction)]
        return transaction.status == target.refusalStatus && !transaction.fields(for: target).challenges.isEmpty
    }
}

// MARK: - The end

extension SpaceTracker {
    /// Ends the group: judges the exchanges and adds the sessions to those of other groups.
    ///
    /// `tls` has the capture's TLS connections; `schemes` is the list of schemes that a session had last: most have the same,
    /// and share it.
    mutating func finish(
        _ group: SessionDraft.Group,
        _ judge: OutcomeJudge,
        tls: [TLSConnection],
        sharing schemes: inout [AuthenticationScheme],
        into sessions: inout [SessionDraft]
    ) {
        if drafts.isEmpty {
            guard isLoginSeen, !members.isEmpty else { return }
            drafts.append(Draft(realm: nil))
        }
        let joined = exchanges.joinAcrossConnections(judge.connections)
        judgeExchanges(judge)
        let first = sessions.count
        for draft in drafts {
            if !draft.schemes.elementsEqual(schemes, by: { $0.rawValue == $1.rawValue }) { schemes = draft.schemes }
            sessions.append(SessionDraft(group, target, realm: draft.realm, schemes: schemes))
        }
        let finished = exchanges.exchanges.map { AuthenticationExchange($0, of: group.client, tls: tls) }
        let places = handOut(finished, leavingOut: joined, to: &sessions, from: first)
        for member in members {
            let exchange = Int(member.exchange)
            let place = exchange < 0 ? nil : places.isEmpty ? exchange : places[joined[exchange] ?? exchange]
            sessions[first + Int(member.space)].append(
                ClientSession.Entry(transaction: transactions[Int(member.transaction)], exchange: place)
            )
        }
        for index in first..<sessions.count { sessions[index].conclude() }
    }

    private mutating func judgeExchanges(_ judge: OutcomeJudge) {
        var last = [Int32](repeating: -1, count: drafts.count)
        for member in members { last[Int(member.space)] = member.transaction }
        exchanges.judge(judge, lastPackets: last.map { $0 < 0 ? 0 : transactions[Int($0)].packet })
    }

    /// Gives each of the sessions from `first` on its exchanges, of all that are finished, and room for its transactions.
    ///
    /// Returns the place of each exchange in its session; nothing where that is its index.
    private func handOut(
        _ finished: [AuthenticationExchange],
        leavingOut joined: [Int: Int],
        to sessions: inout [SessionDraft],
        from first: Int
    ) -> [Int] {
        if drafts.count == 1, joined.isEmpty {
            sessions[first].reserveCapacity(entries: members.count, exchanges: 0)
            sessions[first].exchanges = finished
            return []
        }
        var counts = [(entries: Int, exchanges: Int)](repeating: (0, 0), count: drafts.count)
        for member in members { counts[Int(member.space)].entries += 1 }
        for exchange in exchanges.exchanges { counts[Int(exchange.space)].exchanges += 1 }
        for (space, count) in counts.enumerated() {
            sessions[first + space].reserveCapacity(entries: count.entries, exchanges: count.exchanges)
        }
        return exchanges.exchanges.indices.map { index in
            let session = first + Int(exchanges.exchanges[index].space)
            if joined[index] == nil { sessions[session].exchanges.append(finished[index]) }
            return sessions[session].exchanges.count - 1
        }
    }
}
