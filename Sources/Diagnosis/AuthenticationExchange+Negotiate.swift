import AuthScanSchemes
import AuthScanSessions

extension AuthenticationExchange {
    /// The last AP-REQ that the client sent, and its leg; `nil` where it sent none.
    var apReq: (message: APReq, leg: Leg)? {
        guard carriesTokens else { return nil }
        return legs.reversed().lazy.compactMap { leg in leg.credentials.kerberos?.apReq.map { ($0, leg) } }.first
    }

    /// The KRB-ERROR in the last answer; `nil` where it has none.
    var krbError: KRBError? {
        lastLeg.transaction.fields(for: target).challenges.lazy.compactMap { $0.kerberos?.krbError }.first
    }

    /// Whether a ticket was refused: by the status, or by a KRB-ERROR in the answer to it.
    var isTicketRefused: Bool {
        guard outcome == .rejected || (lastLeg.transaction.status ?? 0) >= 400, apReq != nil else { return false }
        return outcome == .rejected || krbError != nil
    }
}

extension Chain {
    /// The exchanges whose ticket was refused, with no success of the chain behind them.
    var refusedTickets: [AuthenticationExchange] {
        exchanges.filter { $0.isTicketRefused && !isMadeGood(after: $0.lastLeg.transaction) }
    }

    /// The exchanges in which the client left an SPNEGO token unanswered that asks for a further leg.
    var ignoredContinuations: [AuthenticationExchange] {
        exchanges.filter { exchange in
            guard exchange.scheme.kind == .negotiate, exchange.outcome == .abandoned,
                exchange.lastLeg.continuation?.negotiate?.spnego?.negTokenResp != nil, exchange.krbError == nil
            else { return false }
            return !isEndedByServer(after: exchange.lastLeg.transaction)
                && !isMadeGood(after: exchange.lastLeg.transaction)
        }
    }
}
