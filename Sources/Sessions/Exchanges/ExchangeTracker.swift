import AuthScanSchemes
import AuthScanWire

/// Gathers the legs of one client's exchanges with one server or proxy, in packet order.
///
/// The rule of the tracker: NTLM and Negotiate belong to the connection (RFC 4559 §6, MS-NTHT), so their legs are
/// gathered by connection; any other scheme answers for each request alone. A CHALLENGE_MESSAGE that is answered on
/// another connection is joined at the end (`joinAcrossConnections`), when it is known that its own connection never
/// saw the answer.
struct ExchangeTracker {
    private let target: AuthenticationTarget
    private(set) var exchanges: [ExchangeDraft] = []
    private var openByConnection: [Int: Int] = [:]
    /// Whether any exchange begins with the last message of a handshake.
    private var isHandshakeSplit = false

    /// `count` says how many exchanges there may be.
    init(target: AuthenticationTarget, count: Int) {
        self.target = target
        exchanges.reserveCapacity(count)
    }

    /// Takes a transaction of a space; returns the index of its exchange in `exchanges`.
    ///
    /// `credentials` are those of the request, the first where it brought several; `challenged` is the bare request whose
    /// challenge they answer, if there is one.
    mutating func receive(
        _ transaction: Transaction,
        with credentials: Credentials,
        in space: Int32,
        challenged: Transaction?
    ) -> Int {
        let isBound = credentials.scheme.requiresSameConnection
        let leg = Leg(
            transaction: transaction,
            target: target,
            continuationIndex: continuation(of: credentials, in: transaction)
        )
        if isBound, let open = openExchange(on: transaction.connection, for: credentials) {
            exchanges[open].legs.append(leg)
            if leg.continuationIndex == nil { openByConnection[transaction.connection] = nil }
            return open
        }
        exchanges.append(ExchangeDraft(space: space, leg: leg, challenged: challenged, isConnectionBound: isBound))
        guard isBound else { return exchanges.count - 1 }
        if isOpen(after: leg, with: credentials) { openByConnection[transaction.connection] = exchanges.count - 1 }
        isHandshakeSplit = isHandshakeSplit || credentials.ntlm?.authenticate != nil
        return exchanges.count - 1
    }

    /// Whether a further leg may follow: the response continued, or was not captured after a first message.
    private func isOpen(after leg: Leg, with credentials: Credentials) -> Bool {
        if leg.continuationIndex != nil { return true }
        guard leg.transaction.status == nil else { return false }
        if case .negotiate? = credentials.ntlm { return true }
        return false
    }

    /// The exchange that a leg continues: the open one of its connection, unless the leg starts anew.
    private func openExchange(on connection: Int, for credentials: Credentials) -> Int? {
        guard let open = openByConnection[connection] else { return nil }
        if case .negotiate? = credentials.ntlm { return nil }
        return open
    }

    /// The index of the challenge that carries a token for the scheme in use; a bare one means "start anew", not "go on".
    private func continuation(of credentials: Credentials, in transaction: Transaction) -> Int? {
        guard transaction.status == target.refusalStatus else { return nil }
        return transaction.fields(for: target).challenges.firstIndex {
            $0.scheme == credentials.scheme && $0.continuesExchange
        }
    }

    /// Joins handshakes that a client split over connections: an AUTHENTICATE_MESSAGE that opens a connection whose
    /// start was captured answers the latest challenge that nobody answered on its own connection.
    ///
    /// Returns what each exchange that was joined to an earlier one, and stands for nothing by itself, was joined to.
    mutating func joinAcrossConnections(_ connections: [Connection]) -> [Int: Int] {
        guard isHandshakeSplit else { return [:] }
        var waiting: [Int] = []
        var joined: [Int: Int] = [:]
        for index in exchanges.indices where exchanges[index].isConnectionBound {
            if exchanges[index].isAwaitingAuthenticate { waiting.append(index) }
            guard exchanges[index].startsWithAuthenticate,
                connections[exchanges[index].legs[0].transaction.connection - 1].startSeen,
                let partner = waiting.lastIndex(where: { canJoin(exchanges[$0], exchanges[index]) })
            else { continue }
            let first = waiting.remove(at: partner)
            exchanges[first].legs.append(contentsOf: exchanges[index].legs)
            joined[index] = first
        }
        return joined
    }

    private func canJoin(_ first: ExchangeDraft, _ second: ExchangeDraft) -> Bool {
        first.space == second.space && first.scheme == second.scheme
            && first.lastLeg.transaction.packet < second.legs[0].transaction.packet
            && second.legs[0].transaction.startTime.seconds(since: first.lastLeg.transaction.endTime) < 60
    }

    /// Judges how each exchange ended; `lastPackets` has the packet of each space's last transaction.
    mutating func judge(_ judge: OutcomeJudge, lastPackets: [Int]) {
        for index in exchanges.indices {
            let leg = exchanges[index].lastLeg
            let lastPacket = lastPackets[Int(exchanges[index].space)]
            exchanges[index].outcome = judge.outcome(of: leg, isFollowed: lastPacket > leg.transaction.packet)
            if leg.transaction.status == 400, hasProvenNonce(index) { exchanges[index].outcome = .accepted }
        }
    }

    /// How many exchanges before one are looked at for the nonce that it answers.
    private static let noncesRemembered = 16

    /// Whether the server took an answer of Digest to the same nonce just before: what it then calls malformed is the request.
    private func hasProvenNonce(_ index: Int) -> Bool {
        guard let nonce = exchanges[index].lastLeg.credentials.digest?.nonce else { return false }
        return exchanges[..<index].suffix(ExchangeTracker.noncesRemembered).contains { earlier in
            earlier.outcome == .accepted && earlier.space == exchanges[index].space
                && earlier.lastLeg.credentials.digest?.nonce == nonce
        }
    }
}

extension Challenge {
    /// Whether the challenge is a further leg of an exchange: it carries a token that does not end it.
    var continuesExchange: Bool {
        if case .challenge? = ntlm { return true }
        let state = negotiate?.spnego?.negTokenResp?.negState
        if state == .acceptIncomplete || state == .requestMIC { return true }
        // A token that cannot be decoded (cut by the snapshot length, say) is still more than a bare offer.
        return scheme.kind == .ntlm && token68 != nil && ntlm == nil
    }
}
