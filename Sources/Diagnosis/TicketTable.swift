import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// When each client last got a ticket: as a user, for a service, any.
struct TicketTable: Sendable {
    private enum Purpose: Hashable {
        case user(String)
        case service(String)
        case any
    }

    private struct Key: Hashable {
        let client: IPAddress
        let purpose: Purpose
    }

    /// The packet that brought the last ticket.
    private var last: [Key: Int] = [:]

    init(_ exchanges: [KDCExchange]) {
        for exchange in exchanges {
            guard exchange.reply != nil, let packet = exchange.response?.packet, !exchange.isForPasswordChange else {
                continue
            }
            note(exchange, .any, packet)
            if let service = exchange.sname?.text.lowercased() { note(exchange, .service(service), packet) }
            guard exchange.isInitial == true else { continue }
            // The answer may name the user otherwise: an alias, another case.
            for name in [exchange.cname, exchange.reply?.cname].compactMap({ $0?.text.lowercased() }) {
                note(exchange, .user(name), packet)
            }
        }
    }

    private mutating func note(_ exchange: KDCExchange, _ purpose: Purpose, _ packet: Int) {
        let key = Key(client: exchange.client.address, purpose: purpose)
        last[key] = max(last[key] ?? 0, packet)
    }

    private func isGiven(_ purpose: Purpose, after exchange: KDCExchange) -> Bool {
        guard let packet = last[Key(client: exchange.client.address, purpose: purpose)] else { return false }
        return packet > exchange.packet
    }

    /// Whether the client got any ticket after an exchange.
    func isAnyGiven(after exchange: KDCExchange) -> Bool { isGiven(.any, after: exchange) }

    /// Whether the user of an exchange got in after it, from the same client.
    func isUserLetIn(after exchange: KDCExchange) -> Bool {
        guard let name = exchange.cname?.text.lowercased() else { return false }
        return isGiven(.user(name), after: exchange)
    }

    /// Whether the client got a ticket for the same service after an exchange.
    func isServiceGiven(after exchange: KDCExchange) -> Bool {
        guard let name = exchange.sname?.text.lowercased() else { return false }
        return isGiven(.service(name), after: exchange)
    }
}

extension KDCExchange {
    /// Whether the ticket is good for changing the password alone; a user whose password has expired gets that, too.
    ///
    /// - Source: RFC 3244 §2.
    var isForPasswordChange: Bool { sname?.text.lowercased() == "kadmin/changepw" }
}
