import AuthScanSchemes
import AuthScanWire

/// Gathers the legs of one client's exchanges with one server or proxy, in packet order.
///
/// The rule of the tracker: NTLM and Negotiate belong to the connection (RFC 4559 §6, MS-NTHT), so their legs are
/// gathered by connection; any other scheme answers for each request alone. A CHALLENGE_MESSAGE that is answered on
/// another connection is joined at the end (`joinAcrossConnections`), when it is known that its own connection never
/// saw the answer.
struct ExchangeTracker {
    let client: IPAddress
    let target: AuthenticationTarget
    private(set) var exchanges: [ExchangeDraft] = []
    private var openByConnection: [Int: Int] = [:]

    init(client: IPAddress, target: AuthenticationTarget) {
        self.client = client
        self.target = target
    }

    /// Takes a transaction with credentials; returns the index of its exchange in `exchanges`.
    mutating func receive(_ transaction: Transaction, challenged: Transaction?) -> Int? {
        let fields = transaction.fields(for: target)
        guard let credentials = fields.credentials.first else { return nil }
        let leg = Leg(
            transaction: transaction,
            target: target,
            continuationIndex: continuation(of: credentials, in: fields.challenges, status: transaction.status)
        )
        if credentials.scheme.requiresSameConnection, let open = openExchange(for: leg) {
            exchanges[open].legs.append(leg)
            if leg.continuationIndex == nil { openByConnection[transaction.connection] = nil }
            return open
        }
        exchanges.append(
            ExchangeDraft(
                client: client,
                target: target,
                scheme: credentials.scheme,
                leg: leg,
                challenged: challenged
            )
        )
        if isOpen(after: leg) {
            openByConnection[transaction.connection] = exchanges.count - 1
        }
        return exchanges.count - 1
    }

    /// Whether a further leg may follow: the response continued, or was not captured after a first message.
    private func isOpen(after leg: Leg) -> Bool {
        guard leg.credentials.scheme.requiresSameConnection else { return false }
        if leg.continuationIndex != nil { return true }
        guard leg.transaction.response == nil else { return false }
        if case .negotiate? = leg.ntlm { return true }
        return false
    }

    /// The exchange that a leg continues: the open one of its connection, unless the leg starts anew.
    private func openExchange(for leg: Leg) -> Int? {
        guard let open = openByConnection[leg.transaction.connection] else { return nil }
        if case .negotiate? = leg.ntlm { return nil }
        return open
    }

    /// The index of the challenge that carries a token for the scheme in use; a bare one means "start anew", not "go on".
    private func continuation(of credentials: Credentials, in challenges: [Challenge], status: Int?) -> Int? {
        guard status == target.refusalStatus else { return nil }
        return challenges.firstIndex { $0.scheme == credentials.scheme && $0.continuesExchange }
    }

    /// Joins handshakes that a client split over connections: an AUTHENTICATE_MESSAGE that opens a connection whose
    /// start was captured answers the latest challenge that nobody answered on its own connection.
    mutating func joinAcrossConnections(_ connection: (Int) -> Connection) {
        var waiting: [Int] = []
        var joined: Set<Int> = []
        for index in exchanges.indices {
            let exchange = exchanges[index]
            if exchange.isAwaitingAuthenticate { waiting.append(index) }
            guard exchange.startsWithAuthenticate, connection(exchange.legs[0].transaction.connection).startSeen,
                let partner = waiting.lastIndex(where: { canJoin(exchanges[$0], exchange) })
            else { continue }
            exchanges[waiting.remove(at: partner)].legs += exchange.legs
            joined.insert(index)
        }
        removed = joined
    }

    /// The exchanges that were joined to an earlier one and stand for nothing by themselves.
    private(set) var removed: Set<Int> = []

    private func canJoin(_ first: ExchangeDraft, _ second: ExchangeDraft) -> Bool {
        first.scheme == second.scheme && first.lastLeg.transaction.packet < second.legs[0].transaction.packet
            && second.legs[0].transaction.startTime.seconds(since: first.lastLeg.transaction.endTime) < 60
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
