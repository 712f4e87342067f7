import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// What the lack of a ticket does to a chain.
enum LackOfTicket {
    /// Nothing but the traffic of key distribution centers is known of it.
    case alone
    /// It fails in these transactions, and the lack of a ticket explains them.
    case fails([Transaction])
    /// It goes on without Kerberos, in these transactions.
    case goesOn([Transaction])
    /// There is a ticket after all, or the chain does not need one.
    case none
}

extension Chain {
    /// The answers of key distribution centers with one of these codes that bear on this chain, in packet order.
    func kdcRefusals(_ codes: Set<Int>) -> [KDCExchange] {
        session.kdcExchanges.filter { exchange in
            exchange.error.map { codes.contains($0.errorCode.rawValue) } ?? false
        }
    }

    /// What became of the chain without the ticket that was refused.
    func lackOfTicket(after refusal: KDCExchange) -> LackOfTicket {
        if session.isKDCTraffic { return .alone }
        let accepted = exchanges.filter { $0.outcome == .accepted && $0.lastLeg.transaction.packet > refusal.packet }
        if accepted.contains(where: \.bringsTicket) { return .none }
        let failed = finalFailures.filter(mayLackTicket).map(\.transaction)
        let open = endsInSuccess ? [] : openChallenges.map(\.transaction)
        if !failed.isEmpty || !open.isEmpty { return .fails(Array((failed + open).prefix(20))) }
        guard endsInSuccess, let first = accepted.first else { return .none }
        return .goesOn(first.transactions)
    }

    /// Whether a failure may come from the lack of a ticket: no answer, or one of another mechanism.
    private func mayLackTicket(_ event: ChainEvent) -> Bool {
        switch event.kind {
        case .unanswered: return true
        case .abandoned, .broken, .rejected:
            guard let exchange = exchange(of: event) else { return false }
            return exchange.scheme.kind == .negotiate && !exchange.bringsTicket
        case .accepted, .forbidden, .bareForbidden, .noChallenge, .preflightRefused, .open: return false
        }
    }
}

extension AuthenticationExchange {
    /// Whether the client sent an AP-REQ in it.
    var bringsTicket: Bool { legs.contains { $0.credentials.kerberos?.apReq != nil } }
}

extension RulePage {
    /// What a rule finds in the refusals of key distribution centers, as heavy as the lack of a ticket weighs on the chain.
    func outcome(
        _ refusals: [KDCExchange],
        in chain: Chain,
        _ message: (_ first: KDCExchange, _ others: Int) -> String
    ) -> Outcome {
        guard let first = refusals.first, let last = refusals.last else { return .clear }
        var transactions: [Transaction] = []
        var severity = severity
        switch chain.lackOfTicket(after: last) {
        case .none: return .clear
        case .alone: break
        case .fails(let failed): transactions = failed
        case .goesOn(let others):
            transactions = others
            severity = min(severity, .warning)
        }
        var packets: [Int] = []
        for refusal in refusals {
            packets += [refusal.response?.packet, refusal.request?.packet].compactMap { $0 }
        }
        packets += transactions.flatMap { [$0.requestPacket, $0.responsePacket].compactMap { $0 } }
        let connections = Set(refusals.compactMap(\.connection) + transactions.map(\.connection))
        return .found([
            Finding(
                rule: id,
                severity: severity,
                confidence: .certain,
                message: message(first, refusals.count - 1),
                packets: packets.prefix(12).reduce(into: []) { if !$0.contains($1) { $0.append($1) } },
                transactions: transactions.map(\.number).sorted(),
                connections: connections.sorted()
            )
        ])
    }
}

extension KDCExchange {
    /// The user in quotes, or a stand-in.
    var userInQuotes: String { clientPrincipal.map { "\"\($0)\"" } ?? "the user" }

    /// `KDC_ERR_PREAUTH_FAILED (24), Pre-authentication information was invalid`; empty where the answer is no refusal.
    var reason: String { error?.errorCode.nameAndMeaning ?? "" }
}

extension KerberosErrorCode {
    /// Name, number and meaning.
    var nameAndMeaning: String { "\(name) (\(rawValue)), \(meaning)" }
}

extension KRBError {
    /// What the clocks say about each other: the client's where the message states it, the capture's otherwise.
    func clocks(at captured: Timestamp, asked request: KDCRequest? = nil) -> String {
        // MIT's key distribution center puts the request's nonce there.
        if let ctime, ctime.secondsSinceEpoch != Int64(request?.nonce ?? -1) {
            let ahead = stime.secondsSinceEpoch - ctime.secondsSinceEpoch
            return "the server's clock is \(Self.seconds(ahead)) the client's"
        }
        let ahead = stime.secondsSinceEpoch - captured.nanoseconds / 1_000_000_000
        if abs(ahead) < 300 {
            return "the server's clock agrees with the capture's, so that the client's is the one to look at"
        }
        return "the server's clock is \(Self.seconds(ahead)) the capture's, one of which is off"
    }

    private static func seconds(_ ahead: Int64) -> String {
        ahead < 0 ? "\(ahead.magnitude) s behind" : "\(ahead) s ahead of"
    }
}
