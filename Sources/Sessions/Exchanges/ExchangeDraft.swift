import AuthScanSchemes

/// An exchange whose legs are still being gathered.
struct ExchangeDraft: Sendable {
    var legs: Legs
    let challenged: Transaction?
    /// The index of its protection space among those of its client and server.
    let space: Int32
    var outcome = AuthenticationExchange.Outcome.unknown
    /// Whether its success authenticates the connection rather than one request.
    let isConnectionBound: Bool

    init(space: Int32, leg: Leg, challenged: Transaction?, isConnectionBound: Bool) {
        self.space = space
        legs = Legs(leg)
        self.challenged = challenged
        self.isConnectionBound = isConnectionBound
    }

    /// The last request with credentials.
    var lastLeg: Leg { legs.latest }

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

/// Where an exchange of a draft begins.
struct ExchangeStart: Sendable {
    /// The index of the session's draft.
    let draft: Int32
    /// See `AuthenticationExchange.key`.
    let key: Int32
}
