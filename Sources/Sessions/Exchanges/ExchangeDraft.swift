import AuthScanSchemes

/// An exchange whose legs are still being gathered, or whose place among the others is not known yet.
struct ExchangeDraft: Sendable {
    var legs: [Leg]
    let challenged: Transaction?
    /// The number of the transaction that it begins with.
    let firstTransaction: Int32
    /// The index of its protection space among those of its client and server.
    let space: Int32
    /// Its number; 0 until all exchanges of the capture are known.
    var number: Int32 = 0
    var outcome = AuthenticationExchange.Outcome.unknown
    /// Whether its success authenticates the connection rather than one request.
    let isConnectionBound: Bool

    init(space: Int32, leg: Leg, challenged: Transaction?, isConnectionBound: Bool) {
        firstTransaction = Int32(clamping: leg.transaction.number)
        self.space = space
        legs = [leg]
        self.challenged = challenged
        self.isConnectionBound = isConnectionBound
    }

    /// The last request with credentials.
    var lastLeg: Leg { legs[legs.count - 1] }

    /// The scheme as the client wrote it.
    var scheme: AuthenticationScheme { legs[0].credentials.scheme }

    /// Whether its last word is a challenge that the client has yet to answer.
    var isAwaitingAuthenticate: Bool {
        guard isConnectionBound, lastLeg.continuation?.ntlm != nil else { return false }
        return !legs.contains { $0.ntlm?.authenticate != nil }
    }

    /// Whether the first message seen is already the last one of a handshake.
    var startsWithAuthenticate: Bool { isConnectionBound && legs[0].ntlm?.authenticate != nil }
}
