import AuthScanSchemes
import AuthScanSessions

/// What was asked of key distribution centers, in one line of the inventory.
enum KDCText {
    /// How many realms and error codes are named, each.
    private static let limit = 6

    /// `4 exchanges with the KDC of CORP.EXAMPLE: 1 ticket, KDC_ERR_PREAUTH_REQUIRED (25), …`; `nil` where there is none.
    static func summary(_ exchanges: [KDCExchange]) -> String? {
        guard !exchanges.isEmpty else { return nil }
        let realms = names(exchanges.compactMap { $0.realm?.uppercased() })
        let tickets = exchanges.count { $0.reply != nil }
        let errors = names(exchanges.compactMap { $0.error.map { "\($0.errorCode.name) (\($0.errorCode.rawValue))" } })
        let answers = [counted(tickets, "ticket")] + errors
        let places = realms.isEmpty ? "" : " of \(realms.joined(separator: ", "))"
        return PrintableText.visible(
            "\(counted(exchanges.count, "exchange")) with the KDC\(places): \(answers.joined(separator: ", "))"
        )
    }

    /// The messages in some packets, each in a few words.
    static func messages(of exchanges: [KDCExchange], in packets: [Int]) -> [(packet: Int, text: String)] {
        var messages: [(packet: Int, text: String)] = []
        for exchange in exchanges {
            if let leg = exchange.request, packets.contains(leg.packet) {
                let user = exchange.cname.map { " of \($0.text)" } ?? ""
                let service = exchange.sname.map { " for \($0.text)" } ?? ""
                messages.append((leg.packet, "→ KDC: \(leg.message?.messageName ?? "unreadable")\(user)\(service)"))
            }
            if let leg = exchange.response, packets.contains(leg.packet) {
                let code = exchange.error.map { " \($0.errorCode.name) (\($0.errorCode.rawValue))" } ?? ""
                messages.append((leg.packet, "← KDC: \(leg.message?.messageName ?? "unreadable")\(code)"))
            }
        }
        return messages.map { ($0.packet, PrintableText.visible($0.text)) }
    }

    /// The first few of the texts, each once.
    private static func names(_ texts: [String]) -> [String] {
        var order: [String] = []
        var seen: Set<String> = []
        for text in texts where seen.insert(text).inserted { order.append(text) }
        let rest = order.count - limit
        return Array(order.prefix(limit)) + (rest > 0 ? ["\(rest) more"] : [])
    }
}
