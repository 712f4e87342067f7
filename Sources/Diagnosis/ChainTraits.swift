import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// What there is in a chain at all, so that rules which need more than that are not asked.
///
/// Most chains of a large capture are well: a rule about refusals has nothing to look for in them.
public struct ChainTraits: OptionSet, Sendable {
    /// One bit a trait.
    public let rawValue: UInt64

    /// A set of traits from its bits.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    // MARK: What the responses say

    /// A response has the status that asks for credentials: 401, or 407 where a proxy asks.
    public static let refusal = ChainTraits(rawValue: 1 << 0)
    /// A response has status 403.
    public static let forbidden = ChainTraits(rawValue: 1 << 1)
    /// A response has status 401 or 403, and its request brought no credentials for the server.
    public static let bareRefusal = ChainTraits(rawValue: 1 << 2)
    /// A response sends the client elsewhere: a redirect, or 511.
    public static let redirect = ChainTraits(rawValue: 1 << 3)
    /// A response has one of the statuses with which servers refuse a header block for its size: 400, 413, 431 or 494.
    public static let sizeRefusal = ChainTraits(rawValue: 1 << 4)
    /// A request of HTTP/2 has no answer.
    public static let unansweredStream = ChainTraits(rawValue: 1 << 5)

    // MARK: What the requests are and bring

    /// A request has no User-Agent, or an empty one.
    public static let noUserAgent = ChainTraits(rawValue: 1 << 8)
    /// A request looks like the submission of a login form, and is answered with a cookie.
    public static let formLogin = ChainTraits(rawValue: 1 << 9)

    /// A request brings credentials for a proxy.
    public static let proxyCredentials = ChainTraits(rawValue: 1 << 10)

    // MARK: What became of the tries to authenticate

    /// A complete credential was refused.
    public static let rejected = ChainTraits(rawValue: 1 << 12)
    /// Three complete credentials or more were refused.
    public static let repeatedRejection = ChainTraits(rawValue: 1 << 13)
    /// A try has no verdict: it broke off, or the capture does not show its end.
    public static let unfinished = ChainTraits(rawValue: 1 << 14)
    /// A try was accepted.
    public static let accepted = ChainTraits(rawValue: 1 << 15)
    /// A complete credential was refused, or the last answer to a try has a status of 400 or above.
    public static let failedTry = ChainTraits(rawValue: 1 << 16)
    /// The end of a try is not in the capture.
    public static let openTry = ChainTraits(rawValue: 1 << 17)
    /// A credential of Basic was refused.
    public static let rejectedBasic = ChainTraits(rawValue: 1 << 56)
    /// An answer of Digest was refused.
    public static let rejectedDigest = ChainTraits(rawValue: 1 << 57)
    /// A token of Negotiate was refused.
    public static let rejectedNegotiate = ChainTraits(rawValue: 1 << 58)
    /// A token of Bearer was refused.
    public static let rejectedBearer = ChainTraits(rawValue: 1 << 59)
    /// A credential of a scheme without a decoder was refused, or one without a scheme.
    public static let rejectedOther = ChainTraits(rawValue: 1 << 60)

    // MARK: With what the client tried

    /// The client sent credentials of Basic.
    public static let basic = ChainTraits(rawValue: 1 << 20)
    /// The client sent credentials of Digest.
    public static let digest = ChainTraits(rawValue: 1 << 21)
    /// The client sent credentials of NTLM, under whatever scheme name.
    public static let ntlm = ChainTraits(rawValue: 1 << 22)
    /// The client sent credentials of Negotiate.
    public static let negotiate = ChainTraits(rawValue: 1 << 23)
    /// The client sent credentials of Bearer.
    public static let bearer = ChainTraits(rawValue: 1 << 24)
    /// The client sent credentials of a scheme without a decoder, or of none.
    public static let otherScheme = ChainTraits(rawValue: 1 << 25)
    /// The client sent credentials of NTLM, Negotiate or Kerberos, whose messages may take several legs.
    public static let tokenScheme = ChainTraits(rawValue: 1 << 26)
    /// The client sent credentials of more than one scheme.
    public static let severalSchemes = ChainTraits(rawValue: 1 << 27)
    /// A challenge or credentials name a scheme that is not known.
    public static let unknownScheme = ChainTraits(rawValue: 1 << 28)
    /// Credentials of Basic or Bearer travel outside TLS.
    public static let exposed = ChainTraits(rawValue: 1 << 29)

    // MARK: What the NTLM messages show

    /// A handshake with an AUTHENTICATE_MESSAGE was refused.
    public static let refusedHandshake = ChainTraits(rawValue: 1 << 32)
    /// Two handshakes with an AUTHENTICATE_MESSAGE or more were accepted.
    public static let severalLogins = ChainTraits(rawValue: 1 << 33)
    /// The legs of a handshake that was not accepted went over several connections.
    public static let splitHandshake = ChainTraits(rawValue: 1 << 34)
    /// An AUTHENTICATE_MESSAGE names nobody: it is anonymous, or a local call.
    public static let namelessLogin = ChainTraits(rawValue: 1 << 35)
    /// An AUTHENTICATE_MESSAGE has a response older than NTLMv2.
    public static let weakResponse = ChainTraits(rawValue: 1 << 36)
    /// An AUTHENTICATE_MESSAGE says for which service it was made.
    public static let targetName = ChainTraits(rawValue: 1 << 37)

    // MARK: What lies beside the transactions

    /// A proxy asks, not the server.
    public static let proxy = ChainTraits(rawValue: 1 << 40)
    /// There are connections on which no application was heard.
    public static let bareConnection = ChainTraits(rawValue: 1 << 41)
    /// Something of it travels inside TLS.
    public static let tls = ChainTraits(rawValue: 1 << 42)
    /// The client asked key distribution centers for what the chain needs.
    public static let kdc = ChainTraits(rawValue: 1 << 43)

    // MARK: What the client experienced

    /// A challenge was never answered, and the capture proves it.
    public static let unanswered = ChainTraits(rawValue: 1 << 48)
    /// A challenge was not answered as far as the capture goes.
    public static let openChallenge = ChainTraits(rawValue: 1 << 49)
    /// A bare request was refused with 403 after an earlier success.
    public static let bareForbidden = ChainTraits(rawValue: 1 << 50)
    /// Something was delivered to the authenticated client.
    public static let success = ChainTraits(rawValue: 1 << 51)
    /// Something failed: an event of the timeline is no success, and the capture shows how it ends.
    public static let failure = ChainTraits(rawValue: 1 << 52)
    /// An answer of Digest that was refused has a fault.
    public static let digestFault = ChainTraits(rawValue: 1 << 53)
    /// After a form login the client is turned away as a stranger.
    public static let turnedAway = ChainTraits(rawValue: 1 << 54)

    /// What the session itself shows, in one pass over its transactions and one over its exchanges.
    init(_ session: ClientSession) {
        self = ChainTraits(beside: session)
        let refusal = session.target.refusalStatus
        let entries = session.entries
        for index in entries.indices { formUnion(ChainTraits(of: entries[index].summary, refusal)) }
        let exchanges = session.exchanges
        var tally = ExchangeTally()
        for index in exchanges.indices { tally.add(exchanges[index]) }
        formUnion(tally.traits)
    }

    private init(beside session: ClientSession) {
        var traits: ChainTraits = session.target == .proxy ? [.proxy] : []
        if !session.bareConnections.isEmpty { traits.formUnion([.bareConnection, .tls]) }
        if session.space.origin.scheme == "https" { traits.insert(.tls) }
        if !session.kdcExchanges.isEmpty { traits.insert(.kdc) }
        if session.space.schemes.contains(where: \.isUnknownName) { traits.insert(.unknownScheme) }
        self = traits
    }

    /// What one transaction shows, where `refusal` is the status that asks for credentials.
    private init(of transaction: TransactionSummary, _ refusal: Int) {
        var traits: ChainTraits = []
        if transaction.isSecure { traits.insert(.tls) }
        if transaction.lacksUserAgent { traits.insert(.noUserAgent) }
        if transaction.isFormLogin { traits.insert(.formLogin) }
        if transaction.hasProxyCredentials { traits.insert(.proxyCredentials) }
        if let status = transaction.status {
            if status >= 300 { traits.formUnion(ChainTraits(status, of: transaction, refusal)) }
        } else if transaction.isHTTP2 {
            traits.insert(.unansweredStream)
        }
        self = traits
    }

    /// What a status of 300 or above shows.
    private init(_ status: Int, of transaction: TransactionSummary, _ refusal: Int) {
        var traits: ChainTraits = status == refusal ? [.refusal] : []
        switch status {
        case 300..<400, 511: traits.insert(.redirect)
        case 400, 413, 431, 494: traits.insert(.sizeRefusal)
        case 401, 403:
            if status == 403 { traits.insert(.forbidden) }
            if !transaction.hasCredentials { traits.insert(.bareRefusal) }
        default: break
        }
        self = traits
    }
}

/// Counts what the exchanges of a chain show.
private struct ExchangeTally {
    private(set) var traits: ChainTraits = []
    private var rejections = 0
    private var logins = 0
    /// The scheme of the first exchange; `nil` before it.
    private var firstScheme: AuthenticationScheme?

    mutating func add(_ exchange: AuthenticationExchange) {
        let kind = exchange.scheme.kind
        add(exchange.outcome, of: kind)
        add(exchange.scheme, kind)
        let last = exchange.lastSummary
        if exchange.outcome == .rejected || last.status ?? 0 >= 400 { traits.insert(.failedTry) }
        if kind == .basic || kind == .bearer, !last.isSecure { traits.insert(.exposed) }
        if exchange.isNTLM { add(handshake: exchange) }
    }

    private mutating func add(_ outcome: AuthenticationExchange.Outcome, of kind: AuthenticationScheme.Kind) {
        switch outcome {
        case .rejected:
            rejections += 1
            traits.formUnion(ChainTraits(rejected: kind))
            if rejections == 3 { traits.insert(.repeatedRejection) }
        case .unknown: traits.formUnion([.unfinished, .openTry])
        case .broken, .abandoned: traits.insert(.unfinished)
        case .accepted: traits.insert(.accepted)
        }
    }

    private mutating func add(_ scheme: AuthenticationScheme, _ kind: AuthenticationScheme.Kind) {
        if let firstScheme {
            if firstScheme != scheme { traits.insert(.severalSchemes) }
        } else {
            firstScheme = scheme
        }
        switch kind {
        case .basic: traits.insert(.basic)
        case .digest: traits.insert(.digest)
        case .negotiate: traits.formUnion([.negotiate, .tokenScheme])
        case .bearer: traits.insert(.bearer)
        case .other:
            traits.insert(.otherScheme)
            if scheme.isUnknownName { traits.insert(.unknownScheme) }
        case .ntlm, .kerberos: traits.insert(.tokenScheme)
        }
    }

    private mutating func add(handshake exchange: AuthenticationExchange) {
        traits.insert(.ntlm)
        let legs = exchange.legs
        let isAccepted = exchange.outcome == .accepted
        let connection = legs[0].transaction.connection
        var isComplete = false
        for index in legs.indices {
            let leg = legs[index]
            if leg.transaction.connection != connection, !isAccepted { traits.insert(.splitHandshake) }
            guard case .authenticate(let message)? = leg.ntlm else { continue }
            isComplete = true
            traits.formUnion(ChainTraits(of: message))
        }
        guard isComplete else { return }
        if exchange.outcome == .rejected { traits.insert(.refusedHandshake) }
        if isAccepted { logins += 1 }
        if logins == 2 { traits.insert(.severalLogins) }
    }
}

extension ChainTraits {
    /// What the refusal of a complete credential shows.
    fileprivate init(rejected kind: AuthenticationScheme.Kind) {
        switch kind {
        case .basic: self = [.rejected, .rejectedBasic]
        case .digest: self = [.rejected, .rejectedDigest]
        case .negotiate: self = [.rejected, .rejectedNegotiate]
        case .bearer: self = [.rejected, .rejectedBearer]
        case .other: self = [.rejected, .rejectedOther]
        case .ntlm, .kerberos: self = [.rejected]
        }
    }

    /// What an AUTHENTICATE_MESSAGE shows.
    fileprivate init(of message: AuthenticateMessage) {
        var traits: ChainTraits = []
        switch message.response {
        case .ntlmV1, .ntlm2Session, .lm: traits.insert(.weakResponse)
        case .ntlmV2, .lmV2, .anonymous, .none, .unknown: break
        }
        if message.isAnonymous || message.isLocalCall { traits.insert(.namelessLogin) }
        if message.avPairs[.targetName] != nil { traits.insert(.targetName) }
        self = traits
    }
}

extension AuthenticationScheme {
    /// Whether it has a name, and one that is not known; each kind but `.other` is known.
    fileprivate var isUnknownName: Bool { kind == .other && !rawValue.isEmpty && !isKnown }
}
