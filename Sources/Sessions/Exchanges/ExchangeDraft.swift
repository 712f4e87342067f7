import AuthScanSchemes
import AuthScanWire

/// An exchange whose legs are still being gathered, or whose place among the others is not known yet.
struct ExchangeDraft: Sendable {
    let client: IPAddress
    let target: AuthenticationTarget
    let scheme: AuthenticationScheme
    var legs: [Leg]
    let challenged: Transaction?
    var outcome = AuthenticationExchange.Outcome.unknown

    init(
        client: IPAddress,
        target: AuthenticationTarget,
        scheme: AuthenticationScheme,
        leg: Leg,
        challenged: Transaction?
    ) {
        self.client = client
        self.target = target
        self.scheme = scheme
        legs = [leg]
        self.challenged = challenged
    }

    /// The last request with credentials.
    var lastLeg: Leg { legs[legs.count - 1] }

    /// Whether its success authenticates the connection rather than one request.
    var isConnectionBound: Bool { scheme.requiresSameConnection }

    /// Whether its last word is a challenge that the client has yet to answer.
    var isAwaitingAuthenticate: Bool {
        guard isConnectionBound, lastLeg.continuation?.ntlm != nil else { return false }
        return !legs.contains { $0.ntlm?.authenticate != nil }
    }

    /// Whether the first message seen is already the last one of a handshake.
    var startsWithAuthenticate: Bool { isConnectionBound && legs[0].ntlm?.authenticate != nil }
}
