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
        var entries: [ClientSession.Entry] = []
        var exchanges: ExchangeTracker
        var unansweredChallenge: Transaction?
    }

    private let client: IPAddress
    private let origin: Origin
    private let target: AuthenticationTarget
    private var drafts: [Draft] = []
    private var spaceOfConnection: [Int: Int] = [:]
    private var directories = DirectoryTable()
    private var latest: Int?
    private var early: [Transaction] = []
    /// Whether anything speaks of a login: without it a group of transactions is no session.
    private var isLoginSeen = false

    /// `isLoginSeen` says whether the server asks for client certificates, or for HTTP/1.1, which it needs for a login.
    init(client: IPAddress, origin: Origin, target: AuthenticationTarget, isLoginSeen: Bool = false) {
        self.client = client
        self.origin = origin
        self.target = target
        self.isLoginSeen = isLoginSeen
    }

    mutating func receive(_ transaction: Transaction) {
        let fields = transaction.fields(for: target)
        isLoginSeen =
            isLoginSeen || transaction.isFormLogin || transaction.status == target.refusalStatus
            || transaction.status == 403 || transaction.isPortalAnswer
        guard let index = space(of: transaction, fields) else {
            early.append(transaction)
            return
        }
        latest = index
        note(fields, of: transaction, in: index)
        let exchange = drafts[index].exchanges.receive(
            transaction,
            challenged: claimChallenge(for: transaction, in: index)
        )
        drafts[index].entries.append(ClientSession.Entry(transaction: transaction, exchange: exchange))
        if exchange == nil, transaction.status == target.refusalStatus {
            drafts[index].unansweredChallenge = transaction
        }
    }

    private mutating func space(of transaction: Transaction, _ fields: AuthenticationFields) -> Int? {
        if let credentials = fields.credentials.first {
            if credentials.scheme.requiresSameConnection, let open = spaceOfConnection[transaction.connection] {
                return open
            }
            let index = spaceOfCredentials(credentials, fields, transaction)
            if credentials.scheme.requiresSameConnection { spaceOfConnection[transaction.connection] = index }
            return index
        }
        if transaction.status == target.refusalStatus, !fields.challenges.isEmpty {
            return find(realm: fields.realm, schemes: fields.schemes)
        }
        return spaceOfConnection[transaction.connection] ?? spaceByPath(of: transaction) ?? latest
            ?? (transaction.status == target.refusalStatus ? find(realm: nil, schemes: []) : nil)
    }

    private mutating func spaceOfCredentials(
        _ credentials: Credentials,
        _ fields: AuthenticationFields,
        _ transaction: Transaction
    ) -> Int {
        if let realm = transaction.status == target.refusalStatus ? fields.realm : credentials.realm {
            // An answer whose realm nobody offered is an answer to the latest challenge all the same.
            let isKnown = drafts.isEmpty || drafts.contains { $0.realm == realm || $0.realm == nil }
            // A refusal names the schemes of its space; the one that was sent may belong to none.
            let schemes = fields.schemes.isEmpty ? [credentials.scheme] : fields.schemes + [credentials.scheme]
            if isKnown || fields.realm != nil { return find(realm: realm, schemes: schemes) }
        }
        return spaceByPath(of: transaction) ?? latest ?? find(realm: nil, schemes: [credentials.scheme])
    }

    /// The space with this realm.
    ///
    /// Where one of the two has no realm and they share a scheme, they are one space: a server that offers
    /// `NTLM, Basic realm="x"` names the realm in some of its challenges only.
    private mutating func find(realm: String?, schemes: [AuthenticationScheme]) -> Int {
        if let index = drafts.firstIndex(where: { $0.realm == realm && realm != nil }) { return index }
        let isRelated = { (draft: Draft) in
            schemes.isEmpty || draft.schemes.isEmpty || draft.schemes.contains(where: schemes.contains)
        }
        if realm == nil, let index = drafts.lastIndex(where: isRelated) { return index }
        if let realm, let index = drafts.firstIndex(where: { $0.realm == nil && isRelated($0) }) {
            drafts[index].realm = realm
            return index
        }
        drafts.append(Draft(realm: realm, exchanges: ExchangeTracker(client: client, target: target)))
        if drafts.count == 1 {
            drafts[0].entries = early.map { ClientSession.Entry(transaction: $0) }
            early = []
        }
        return drafts.count - 1
    }

    private mutating func noteScheme(_ scheme: AuthenticationScheme, in index: Int) {
        // A bare token has no scheme.
        if !scheme.rawValue.isEmpty, !drafts[index].schemes.contains(scheme) { drafts[index].schemes.append(scheme) }
    }

    /// The space that guards the longest prefix of a request's path.
    private mutating func spaceByPath(of transaction: Transaction) -> Int? {
        if drafts.count <= 1 { return drafts.isEmpty ? nil : 0 }
        return directories.space(guarding: transaction)
    }

    private mutating func note(_ fields: AuthenticationFields, of transaction: Transaction, in index: Int) {
        let offered = transaction.status == target.refusalStatus ? fields.schemes : []
        for scheme in offered { noteScheme(scheme, in: index) }
        for credentials in fields.credentials { noteScheme(credentials.scheme, in: index) }
        if !offered.isEmpty || !fields.credentials.isEmpty { directories.note(transaction, in: index) }
    }

    /// The bare request whose challenge this transaction's credentials answer.
    private mutating func claimChallenge(for transaction: Transaction, in index: Int) -> Transaction? {
        guard !transaction.fields(for: target).credentials.isEmpty,
            let challenge = drafts[index].unansweredChallenge
        else { return nil }
        drafts[index].unansweredChallenge = nil
        return challenge
    }

    /// Ends the group: judges the exchanges and hands the sessions out.
    mutating func finish(_ judge: OutcomeJudge) -> [SessionDraft] {
        if drafts.isEmpty, isLoginSeen, !early.isEmpty { _ = find(realm: nil, schemes: []) }
        return drafts.map { session(of: $0, judge) }
    }

    private func session(of draft: Draft, _ judge: OutcomeJudge) -> SessionDraft {
        var tracker = draft.exchanges
        tracker.joinAcrossConnections(judge.connection)
        let space = ProtectionSpace(
            number: 0,
            origin: origin,
            realm: draft.realm,
            isProxy: target == .proxy,
            schemes: draft.schemes
        )
        var session = SessionDraft(
            client: client,
            target: target,
            space: space,
            entries: draft.entries,
            exchanges: tracker.exchanges
        )
        session.drop(tracker.removed)
        session.judge(judge)
        session.markAuthenticatedConnections()
        return session
    }
}
