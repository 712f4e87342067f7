public import AuthScanSchemes
import AuthScanWire

/// The credentials that a request brought and the challenges that its response brought.
public struct AuthenticationFields: Sendable {
    /// What few transactions have beside their credentials.
    private final class Content: Sendable {
        let credentials: CredentialsList
        let challenges: [Challenge]

        init(credentials: CredentialsList, challenges: [Challenge]) {
            self.credentials = credentials
            self.challenges = challenges
        }
    }

    private enum Storage: Sendable {
        /// Neither: so it is with nearly every transaction towards a proxy.
        case none
        /// Credentials on one line, and no challenge.
        case credentials(Credentials)
        case content(Content)
    }

    private let storage: Storage

    /// Decodes the field lines of a captured transaction towards one of the two, by its index and outline; `recent` are the client's
    /// credentials before.
    @inline(__always)
    init(
        of captured: CapturedTransactions,
        _ index: Int,
        _ outline: TransactionOutline,
        _ target: AuthenticationTarget,
        _ recent: inout RecentCredentials
    ) {
        let mayHaveCredentials = outline.requestMayContain(target.credentialsField)
        let mayHaveChallenges = outline.responseMayContain(target.challengeField)
        // Nearly all have neither, or credentials alone: no lists need be made of them.
        guard mayHaveCredentials || mayHaveChallenges else {
            storage = .none
            return
        }
        if !mayHaveChallenges, let only = captured.onlyRequestValue(index, of: target.credentialsField) {
            storage = .credentials(recent.decode(only))
            return
        }
        let credentials = captured.requestValues(index, of: target.credentialsField)
        let challenges = captured.responseValues(index, of: target.challengeField)
        guard !credentials.isEmpty || !challenges.isEmpty else {
            storage = .none
            return
        }
        storage = .content(
            Content(
                credentials: CredentialsList(credentials.map { recent.decode($0) }),
                challenges: challenges.flatMap {
                    ChallengeParser.parseChallenges($0, target: target == .proxy ? .proxy : .origin)
                }
            )
        )
    }

    /// Whether there are neither credentials nor challenges.
    var isEmpty: Bool { if case .none = storage { true } else { false } }

    /// Whether there are credentials.
    var hasCredentials: Bool {
        switch storage {
        case .none: false
        case .credentials: true
        case .content(let content): !content.credentials.isEmpty
        }
    }

    /// What `Authorization` or `Proxy-Authorization` held, one element a field line.
    public var credentials: CredentialsList {
        switch storage {
        case .none: CredentialsList(nil)
        case .credentials(let credentials): CredentialsList(credentials)
        case .content(let content): content.credentials
        }
    }

    /// What `WWW-Authenticate` or `Proxy-Authenticate` offered, in wire order over all field lines.
    public var challenges: [Challenge] { if case .content(let content) = storage { content.challenges } else { [] } }

    /// The realm of the first challenge that names one.
    public var realm: String? {
        guard case .content(let content) = storage else { return nil }
        for challenge in content.challenges {
            if let realm = challenge.realm { return realm }
        }
        return nil
    }

    /// The offered schemes in wire order, each once.
    public var schemes: [AuthenticationScheme] {
        challenges.reduce(into: []) { schemes, challenge in
            if !schemes.contains(challenge.scheme) { schemes.append(challenge.scheme) }
        }
    }
}
