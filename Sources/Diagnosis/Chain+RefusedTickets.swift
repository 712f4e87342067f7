import AuthScanSchemes
import AuthScanSessions

/// A ticket that a web server refused with a KRB-ERROR in its token.
struct RefusedTicket {
    let exchange: AuthenticationExchange
    let error: KRBError

    /// The transaction that was refused.
    var transaction: Transaction { exchange.lastLeg.transaction }

    /// The ticket; `nil` where the client's message cannot be read.
    var ticket: Ticket? { exchange.lastLeg.credentials.kerberos?.apReq?.ticket }

    /// `"HTTP/web03.corp.example" (aes256-cts-hmac-sha1-96, key version 3)`.
    var service: String {
        guard let ticket else { return "\"\(error.sname.text)\"" }
        let version = ticket.encPart.kvno.map { ", key version \($0)" } ?? ""
        return "\"\(ticket.sname.text)\" (\(ticket.encPart.etype.name)\(version))"
    }
}

extension Chain {
    /// The tickets refused with one of these codes of which no success made good within a minute, in order.
    func refusedTickets(_ codes: Set<Int>) -> [RefusedTicket] {
        exchanges.compactMap { exchange in
            let transaction = exchange.lastLeg.transaction
            guard exchange.scheme.kind == .negotiate, transaction.status.map({ $0 >= 400 }) ?? false,
                let error = exchange.krbError, codes.contains(error.errorCode.rawValue),
                !isMadeGood(after: transaction, within: 60)
            else { return nil }
            return RefusedTicket(exchange: exchange, error: error)
        }
    }
}

extension RulePage {
    /// What a rule finds in refused tickets.
    func outcome(_ refused: [RefusedTicket], _ message: (RefusedTicket) -> String) -> Outcome {
        guard let first = refused.first else { return .clear }
        return .found([finding(message(first), at: .response(first.transaction), in: refused.map(\.transaction))])
    }
}
