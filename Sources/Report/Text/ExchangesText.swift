import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// The section of `--verbose`: every exchange's messages, decoded, one field a line, in wire order.
struct ExchangesText {
    /// How many exchanges of a chain are shown.
    static let limit = 200

    let style: Style

    func render(_ chains: [ReportedChain]) -> String {
        let sections = chains.filter { !$0.exchanges.isEmpty }.map { chain in
            let shown = chain.exchanges.prefix(ExchangesText.limit).map(exchange)
            let rest = chain.exchanges.count - shown.count
            let more = rest > 0 ? ["  … and \(counted(rest, "more exchange")); --format json has them all"] : []
            let title = "chain \(chain.number)  \(PrintableText.visible(chain.name))  client \(chain.client)"
            return ([PrintableText.wrap(style.bold(title), indent: 4)] + shown + more).joined(separator: "\n\n")
        }
        return sections.isEmpty ? "" : ([style.bold("Exchanges")] + sections).joined(separator: "\n\n")
    }

    private func exchange(_ exchange: AuthenticationExchange) -> String {
        let account = exchange.account.map { " as \(PrintableText.visible($0))" } ?? ""
        let scheme = PrintableText.visible(exchange.scheme.rawValue)
        let title = "  exchange \(exchange.number)  \(scheme)\(account): \(exchange.outcome.rawValue)"
        var blocks = [style.bold(title)]
        if let challenged = exchange.challenged { blocks += messages(of: challenged, exchange.target) }
        for leg in exchange.legs { blocks += messages(of: leg.transaction, exchange.target) }
        if let verdict = exchange.channelBinding { blocks.append("    \(verdict.line)") }
        if let handshake = exchange.ntlmHandshake, !handshake.remarks.isEmpty {
            let lines = handshake.remarks.map { PrintableText.wrap($0, first: "      - ", indent: 8) }
            blocks.append((["    the messages held against each other"] + lines).joined(separator: "\n"))
        }
        return blocks.joined(separator: "\n")
    }

    /// What one transaction brought towards the server or the proxy: credentials, then challenges.
    private func messages(of transaction: Transaction, _ target: AuthenticationTarget) -> [String] {
        let fields = transaction.fields(for: target)
        let isProxy = target == .proxy
        var blocks: [String] = []
        if let request = transaction.request {
            let line = "\(request.method) \(PrintableText.cut(SecretPolicy.redact.target(request.target), columns: 60))"
            blocks.append(title("packet \(request.evidence.headPacket)  >  \(line)"))
            let token = TokenJSON(secrets: .redact, moment: Int(request.evidence.headTime.nanoseconds / 1_000_000_000))
            for credentials in fields.credentials {
                blocks.append(
                    block(isProxy ? "Proxy-Authorization" : "Authorization") { token.write(credentials, to: &$0) }
                )
            }
            blocks += sideFields(request.fields)
        }
        if let response = transaction.response {
            blocks.append(title("packet \(response.evidence.headPacket)  <  \(response.status)"))
            for challenge in fields.challenges {
                let name = isProxy ? "Proxy-Authenticate" : "WWW-Authenticate"
                blocks.append(block(name) { TokenJSON(secrets: .redact).write(challenge, to: &$0) })
            }
            blocks += sideFields(response.fields)
        }
        return blocks
    }

    private func title(_ text: String) -> String { style.dim("    " + PrintableText.visible(text)) }

    private func sideFields(_ fields: FieldLines) -> [String] {
        fields.all.filter { SideFieldsJSON.names.contains($0.name) }.map { line in
            block(line.name.description) {
                SideFieldsJSON(secrets: .redact).write(line.name.description, line.value, to: &$0)
            }
        }
    }

    private func block(_ name: String, _ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        let lines = JSONOutline.text(writer.bytes).split(separator: "\n").map { "        \($0)" }
        return (["      \(name)"] + lines).joined(separator: "\n")
    }
}

extension ChannelBindingVerdict {
    /// What MsvAvChannelBindings is, held against the server's certificate.
    fileprivate var line: String {
        switch self {
        case .right: "channel binding: right, that of the certificate that the server shows"
        case .zero: "channel binding: zero, the client states that it has none"
        case .absent: "channel binding: absent from the AUTHENTICATE_MESSAGE"
        case .otherCertificate: "channel binding: that of another certificate than the server shows"
        }
    }
}
