public import AuthScanSchemes

/// What the exchanges of a session show together, counted while they are at hand: who looks for something in a large capture need
/// not ask every exchange.
public struct ExchangeTally: Sendable {
    /// How many exchanges have each outcome.
    private(set) var counts = OutcomeCounts()

    /// The kinds of scheme of all exchanges, of the accepted and of the rejected ones: one bit each.
    private var kinds: UInt8 = 0
    private var acceptedKinds: UInt8 = 0
    private var rejectedKinds: UInt8 = 0

    /// Whether any speaks NTLM, under whatever scheme name.
    public private(set) var hasNTLM = false

    /// Whether the client answers Digest with MD5.
    public private(set) var hasDigestMD5 = false

    init() {}

    init(_ exchanges: [AuthenticationExchange]) {
        // By index: a loop over the elements would count references to each.
        for index in exchanges.indices {
            let outcome = exchanges[index].outcome
            let bit = exchanges[index].scheme.kind.bit
            counts.add(outcome)
            kinds |= bit
            if outcome == .accepted { acceptedKinds |= bit }
            if outcome == .rejected { rejectedKinds |= bit }
            if exchanges[index].isNTLM { hasNTLM = true }
            if !hasDigestMD5, exchanges[index].scheme.kind == .digest { hasDigestMD5 = exchanges[index].answersWithMD5 }
        }
    }

    /// How many exchanges have an outcome.
    public func count(_ outcome: AuthenticationExchange.Outcome) -> Int { counts[outcome] }

    /// Whether any is of a kind of scheme.
    public func contains(_ kind: AuthenticationScheme.Kind) -> Bool { kinds & kind.bit != 0 }

    /// Whether one of a kind of scheme was accepted.
    public func hasAccepted(_ kind: AuthenticationScheme.Kind) -> Bool { acceptedKinds & kind.bit != 0 }

    /// Whether one of a kind of scheme was rejected.
    public func hasRejected(_ kind: AuthenticationScheme.Kind) -> Bool { rejectedKinds & kind.bit != 0 }
}

extension AuthenticationExchange {
    /// Whether its last credentials are those of Digest with MD5.
    fileprivate var answersWithMD5: Bool { lastLeg.credentials.digest?.effectiveAlgorithm.hash == .md5 }
}
