import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// The section of `--verbose` with what was asked of key distribution centers: every message, one field a line, in wire order.
struct KDCExchangesText {
    /// How many exchanges are shown.
    private static let limit = 200

    let style: Style

    func render(_ exchanges: [KDCExchange]) -> String {
        guard !exchanges.isEmpty else { return "" }
        let shown = exchanges.prefix(Self.limit).map(block)
        let rest = exchanges.count - shown.count
        let more = rest > 0 ? ["  … and \(counted(rest, "more exchange")); --format json has them all"] : []
        return ([style.bold("Key distribution centers")] + shown + more).joined(separator: "\n\n")
    }

    private func block(_ exchange: KDCExchange) -> String {
        let proxy = exchange.isProxied ? ", a KDC proxy" : ""
        var lines = [style.bold("  \(exchange.client) with \(exchange.server)\(proxy)")]
        if let request = exchange.request { lines += message(request, ">") }
        if let response = exchange.response { lines += message(response, "<") }
        return lines.joined(separator: "\n")
    }

    private func message(_ leg: KDCExchange.Leg, _ mark: String) -> [String] {
        let title = style.dim("    packet \(leg.packet)  \(mark)  \(leg.message?.messageName ?? "unreadable")")
        guard let message = leg.message else {
            return [title] + (leg.problem.map { ["        " + PrintableText.visible($0.description)] } ?? [])
        }
        var writer = JSONWriter()
        KerberosJSON(secrets: .redact).write(message, to: &writer)
        return [title] + JSONOutline.text(writer.bytes).split(separator: "\n").map { "        \($0)" }
    }
}
