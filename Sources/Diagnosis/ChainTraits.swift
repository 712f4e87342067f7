import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// What there is in a chain at all, so that rules which need more than that are not asked.
///
/// Most chains of a large capture are well: a rule about refusals has nothing to look for in them.
public struct ChainTraits: OptionSet, Sendable {
    /// One bit a trait.
    public let rawValue: UInt16

    /// A set of traits from its bits.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A response has the status that asks for credentials: 401, or 407 where a proxy asks.
    public static let refusal = ChainTraits(rawValue: 1 << 0)
    /// A response has status 403.
    public static let forbidden = ChainTraits(rawValue: 1 << 1)
    /// A complete credential was refused.
    public static let rejected = ChainTraits(rawValue: 1 << 2)
    /// A proxy asks, not the server.
    public static let proxy = ChainTraits(rawValue: 1 << 3)
    /// The client sent credentials of Basic.
    public static let basic = ChainTraits(rawValue: 1 << 4)
    /// The client sent credentials of Digest.
    public static let digest = ChainTraits(rawValue: 1 << 5)
    /// The client sent credentials of NTLM, under whatever scheme name.
    public static let ntlm = ChainTraits(rawValue: 1 << 6)
    /// The client sent credentials of Negotiate.
    public static let negotiate = ChainTraits(rawValue: 1 << 7)
    /// A try has no verdict: it broke off, or the capture does not show its end.
    public static let unfinished = ChainTraits(rawValue: 1 << 8)
    /// The client sent credentials of Bearer.
    public static let bearer = ChainTraits(rawValue: 1 << 9)
    /// The client sent credentials of a scheme without a decoder, or of none.
    public static let otherScheme = ChainTraits(rawValue: 1 << 10)

    /// There are connections on which no application was heard.
    public static let bareConnection = ChainTraits(rawValue: 1 << 11)
    /// Something of it travels inside TLS.
    public static let tls = ChainTraits(rawValue: 1 << 12)

    /// The client asked key distribution centers for what the chain needs.
    public static let kdc = ChainTraits(rawValue: 1 << 13)

    /// A challenge or credentials name a scheme that is not known.
    public static let unknownScheme = ChainTraits(rawValue: 1 << 14)

    init(_ session: ClientSession) {
        var traits: ChainTraits = session.space.isProxy ? [.proxy] : []
        if !session.bareConnections.isEmpty { traits.insert([.bareConnection, .tls]) }
        if session.space.origin.scheme == "https" { traits.insert(.tls) }
        if !session.kdcExchanges.isEmpty { traits.insert(.kdc) }
        let refusal = session.target.refusalStatus
        for entry in session.entries {
            if entry.transaction.isSecure { traits.insert(.tls) }
            guard let status = entry.transaction.status else { continue }
            if status == refusal { traits.insert(.refusal) }
            if status == 403 { traits.insert(.forbidden) }
        }
        if (session.space.schemes + session.usedSchemes).contains(where: { !$0.isKnown && !$0.rawValue.isEmpty }) {
            traits.insert(.unknownScheme)
        }
        for exchange in session.exchanges {
            switch exchange.outcome {
            case .rejected: traits.insert(.rejected)
            case .broken, .abandoned, .unknown: traits.insert(.unfinished)
            case .accepted: break
            }
            if exchange.isNTLM { traits.insert(.ntlm) }
            switch exchange.scheme.kind {
            case .basic: traits.insert(.basic)
            case .digest: traits.insert(.digest)
            case .negotiate: traits.insert(.negotiate)
            case .bearer: traits.insert(.bearer)
            case .other: traits.insert(.otherScheme)
            case .ntlm, .kerberos: break
            }
        }
        self = traits
    }
}
