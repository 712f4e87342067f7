public import AuthScanSchemes
public import AuthScanWire
import Synchronization

/// One client's try to authenticate to one protection space.
///
/// With Basic, Digest, Bearer and the like a request with credentials and its response are one exchange; the three
/// messages of NTLM, and the legs of Negotiate, are one together.
public final class AuthenticationExchange: Sendable {
    /// How a try ended; the raw value is the `outcome` of the JSON report.
    public enum Outcome: String, Sendable, CaseIterable {
        /// The server went on after the last leg: any status but a refusal.
        case accepted
        /// The complete credential was refused.
        case rejected
        /// The transport ended between the legs, or before the answer.
        case broken
        /// The client stopped although it was its turn.
        case abandoned
        /// The capture does not show the end.
        case unknown
    }

    /// Both are known once all exchanges of the capture are; 0 before.
    private let storedNumber = Atomic<UInt32>(0)
    private let storedSpace = Atomic<UInt32>(0)

    /// Its number, counted from 1 in the order in which exchanges begin.
    public var number: Int { Int(storedNumber.load(ordering: .relaxed)) }

    /// The number of its protection space.
    public var space: Int { Int(storedSpace.load(ordering: .relaxed)) }

    /// The client's address.
    public let client: IPAddress

    /// Whether the server or a proxy was to be satisfied.
    public let target: AuthenticationTarget

    /// How it ended.
    public let outcome: Outcome

    /// Whether it speaks NTLM, under whatever scheme name.
    public let isNTLM: Bool

    /// What the channel bindings of its AUTHENTICATE_MESSAGE are; `nil` where there is no such message, where it did not
    /// travel in readable TLS, and where there are bindings but the server's certificate is not known.
    public let channelBinding: ChannelBindingVerdict?

    /// The scheme as the client wrote it.
    public let scheme: AuthenticationScheme

    /// The requests with credentials, in packet order; never empty.
    public let legs: Legs

    /// What is asked of every transaction, of the one of the last leg.
    public let lastSummary: TransactionSummary

    /// The bare request whose challenge this exchange answers; `nil` where the client sent credentials unasked.
    public let challenged: Transaction?

    /// The user as the credentials name it; `nil` where they name none (Kerberos hides it in the ticket).
    public let user: String?

    /// Takes a finished exchange; `tls` has the capture's TLS connections.
    init(_ draft: borrowing ExchangeDraft, of client: IPAddress, tls: [TLSConnection]) {
        self.client = client
        let first = draft.legs[0]
        target = first.target
        let credentials = first.credentials
        scheme = credentials.scheme
        legs = draft.legs
        lastSummary = draft.legs.latestSummary
        challenged = draft.challenged
        outcome = draft.outcome
        // Credentials of the other schemes are the only ones of their exchange, and carry no messages.
        guard Self.carriesTokens(credentials.scheme) else {
            isNTLM = false
            user = credentials.user
            channelBinding = nil
            return
        }
        isNTLM = credentials.scheme.kind == .ntlm || draft.legs.contains { $0.ntlm != nil }
        user =
            (isNTLM ? draft.legs.lazy.compactMap { $0.ntlm?.authenticate?.user }.first : nil)
            ?? draft.lastLeg.credentials.user
        let authenticate = isNTLM ? Self.authenticate(in: draft.legs, credentials.scheme) : nil
        channelBinding = Self.channelBinding(of: authenticate, over: tls)
    }
}

extension AuthenticationExchange {
    /// Gives it its number and that of its space, before anybody else can see it.
    func number(_ number: Int32, space: Int) {
        storedNumber.store(UInt32(clamping: number), ordering: .relaxed)
        storedSpace.store(UInt32(clamping: space), ordering: .relaxed)
    }

    /// What exchanges are in order by, of which no two have the same: the transaction that it begins with, and whom it is to
    /// satisfy; a proxy comes before the server behind it.
    var key: Int32 { Int32(clamping: legs[0].transaction.number) << 1 | (target == .proxy ? 0 : 1) }

    /// All its transactions in packet order, the challenged one included.
    public var transactions: [Transaction] { (challenged.map { [$0] } ?? []) + legs.map(\.transaction) }

    /// The numbers of the connections that its legs used, in that order, each once.
    public var connections: [Int] {
        legs.reduce(into: []) { numbers, leg in
            if !numbers.contains(leg.transaction.connection) { numbers.append(leg.transaction.connection) }
        }
    }

    /// The last request with credentials.
    public var lastLeg: Leg { legs.latest }

    /// Whether its scheme can carry messages of NTLM or Kerberos at all.
    public var carriesTokens: Bool { Self.carriesTokens(scheme) }

    private static func carriesTokens(_ scheme: AuthenticationScheme) -> Bool {
        scheme.requiresSameConnection || scheme.kind == .kerberos
    }

    /// The AUTHENTICATE_MESSAGE and its leg; `nil` where none was captured.
    public var authenticate: (message: AuthenticateMessage, leg: Leg)? { Self.authenticate(in: legs, scheme) }

    private static func authenticate(
        in legs: Legs,
        _ scheme: AuthenticationScheme
    ) -> (message: AuthenticateMessage, leg: Leg)? {
        guard carriesTokens(scheme) else { return nil }
        return legs.lazy.compactMap { leg in
            if case .authenticate(let message)? = leg.ntlm { (message, leg) } else { nil }
        }.first
    }

    /// The CHALLENGE_MESSAGE and the leg whose response brought it; `nil` where none was captured.
    public var ntlmChallenge: (message: ChallengeMessage, leg: Leg)? {
        guard carriesTokens else { return nil }
        return legs.lazy.compactMap { leg in
            if case .challenge(let message)? = leg.continuation?.ntlm { (message, leg) } else { nil }
        }.first
    }

    /// Whether its success authenticates the connection rather than one request.
    public var isConnectionBound: Bool { scheme.requiresSameConnection }

    /// The domain of the AUTHENTICATE_MESSAGE; `""` where it is present and empty, `nil` where there is none.
    public var domain: String? { authenticate?.message.domain }

    /// The workstation of the AUTHENTICATE_MESSAGE; `""` where it is present and empty, `nil` where there is none.
    public var workstation: String? { authenticate?.message.workstation }

    /// The account: `DOMAIN\user` as captured, or the user alone; `nil` where no user is visible.
    public var account: String? {
        guard let user, !user.isEmpty else { return nil }
        // Only NTLM has domains apart from the user.
        guard isNTLM else { return user }
        return domain.map { $0.isEmpty ? user : "\($0)\\\(user)" } ?? user
    }
}
