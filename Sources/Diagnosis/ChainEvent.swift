public import AuthScanSessions
import AuthScanWire

/// One thing that a client experienced in a chain: a resource it got, or a refusal that stood.
public struct ChainEvent: Sendable {
    /// What it was.
    public enum Kind: String, Sendable {
        /// A resource was delivered to an authenticated client.
        case accepted
        /// A complete credential was accepted, and the resource refused: 403, or a 401 with a finished negotiation.
        case forbidden
        /// A bare request was refused with 403 after an earlier success.
        case bareForbidden
        /// A complete credential was refused.
        case rejected
        /// The transport ended in the middle of an exchange.
        case broken
        /// The client stopped in the middle of an exchange.
        case abandoned
        /// A challenge was never answered, and the capture proves it.
        case unanswered
        /// A refusal carried no challenge.
        case noChallenge
        /// A CORS preflight was refused.
        case preflightRefused
        /// The capture does not show the end.
        case open
    }

    /// What it was.
    public let kind: Kind

    /// The transaction whose response, or lack of one, shows it.
    public let transaction: Transaction

    /// The index of its exchange in the chain; `nil` for a bare request.
    public let exchange: Int?

    /// The packet that shows it: the response where there is one, else the request.
    public var packet: Int { transaction.responsePacket ?? transaction.packet }
}

/// Derives the timeline of a chain from its entries.
struct TimelineBuilder {
    private let session: ClientSession
    private let context: CaptureContext
    /// The request packet of the last request with credentials, by connection and by resource.
    private var lastCredentialsOnConnection: [Int: Int] = [:]
    private var lastCredentialsForResource: [ArraySlice<UInt8>: Int] = [:]

    init(session: ClientSession, context: CaptureContext) {
        self.session = session
        self.context = context
        // Only a bare refusal makes anybody ask whether credentials followed.
        let refusal = session.target.refusalStatus
        guard session.entries.contains(where: { $0.exchange == nil && $0.transaction.status == refusal }) else {
            return
        }
        for entry in session.entries where entry.exchange != nil {
            lastCredentialsOnConnection[entry.transaction.connection] = entry.transaction.packet
            lastCredentialsForResource[entry.transaction.pathBytes] = entry.transaction.packet
        }
    }

    func build() -> [ChainEvent] {
        var events: [ChainEvent] = []
        var hasAccepted = false
        var refusedResources: Set<ArraySlice<UInt8>> = []
        for entry in session.entries {
            let wasRefused = !refusedResources.isEmpty && refusedResources.contains(entry.transaction.pathBytes)
            let kind = self.kind(of: entry, hasAccepted: hasAccepted, wasRefused: wasRefused)
            if entry.transaction.status == session.target.refusalStatus {
                refusedResources.insert(entry.transaction.pathBytes)
            }
            guard let kind else { continue }
            hasAccepted = hasAccepted || kind == .accepted
            events.append(ChainEvent(kind: kind, transaction: entry.transaction, exchange: entry.exchange))
        }
        return events
    }

    private func kind(of entry: ClientSession.Entry, hasAccepted: Bool, wasRefused: Bool) -> ChainEvent.Kind? {
        guard let exchange = entry.exchange else {
            return kind(ofBare: entry, hasAccepted: hasAccepted, wasRefused: wasRefused)
        }
        return kind(ofExchange: session.exchanges[exchange], at: entry.transaction)
    }

    /// What a request with credentials led to; `nil` for a leg that is not the last of its exchange.
    private func kind(ofExchange exchange: AuthenticationExchange, at transaction: Transaction) -> ChainEvent.Kind? {
        guard exchange.lastLeg.transaction === transaction else { return nil }
        switch exchange.outcome {
        // A 401 whose token says accept-completed refuses the resource, not the user.
        case .accepted: return isRefusal(transaction.status) ? .forbidden : .accepted
        case .rejected: return isRefusalWithoutChallenge(transaction) ? .noChallenge : .rejected
        case .broken: return .broken
        case .abandoned: return .abandoned
        case .unknown: return .open
        }
    }

    private func isRefusal(_ status: Int?) -> Bool { status == 403 || status == session.target.refusalStatus }

    /// What a bare request led to; `nil` where it says nothing about authentication.
    private func kind(
        ofBare entry: ClientSession.Entry,
        hasAccepted: Bool,
        wasRefused: Bool
    ) -> ChainEvent.Kind? {
        let transaction = entry.transaction
        guard let status = transaction.status else { return nil }
        if status == session.target.refusalStatus { return kind(ofBareRefusal: transaction) }
        if entry.connectionAuthenticatedBy != nil { return status == 403 ? .forbidden : .accepted }
        guard hasAccepted || wasRefused else { return nil }
        return status == 403 ? .bareForbidden : .accepted
    }

    private func kind(ofBareRefusal transaction: Transaction) -> ChainEvent.Kind? {
        if transaction.isPreflight { return .preflightRefused }
        if isRefusalWithoutChallenge(transaction) { return .noChallenge }
        guard !transaction.isBackgroundFetch, !isAnswered(transaction) else { return nil }
        let connection = context.connection(transaction.connection)
        return Silence(after: transaction, on: connection, captureEnd: context.end) == nil ? .open : .unanswered
    }

    private func isRefusalWithoutChallenge(_ transaction: Transaction) -> Bool {
        transaction.status == session.target.refusalStatus && transaction.response?.isHeadComplete == true
            && transaction.fields(for: session.target).challenges.isEmpty
    }

    /// Whether credentials followed the challenge: on its connection, or for its resource.
    private func isAnswered(_ transaction: Transaction) -> Bool {
        let challenge = transaction.responsePacket ?? transaction.packet
        return lastCredentialsOnConnection[transaction.connection] ?? 0 > challenge
            || lastCredentialsForResource[transaction.pathBytes] ?? 0 > challenge
    }
}
