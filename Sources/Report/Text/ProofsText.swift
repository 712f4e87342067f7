import AuthScanBytes
import AuthScanSchemes
import AuthScanSessions

/// What the given secrets say about each exchange, those that need attention first.
struct ProofsText {
    /// How many exchanges are shown.
    static let limit = 40

    let style: Style

    func render(_ report: Report) -> String {
        guard !report.proofs.isEmpty else { return "" }
        var order: [String] = []
        var groups: [String: [AuthenticationExchange]] = [:]
        for exchange in report.chains.flatMap(\.exchanges) {
            guard let proof = report.proofs[exchange: exchange.number] else { continue }
            let text = statement(exchange, proof)
            if groups[text] == nil { order.append(text) }
            groups[text, default: []].append(exchange)
        }
        let tickets = report.sessions.kdcExchanges.filter { !report.proofs[kdcExchange: $0.number].isEmpty }
        guard !order.isEmpty || !tickets.isEmpty else { return "" }
        let shown =
            tickets.prefix(ProofsText.limit).map { block($0, report.proofs[kdcExchange: $0.number]) }
            + order.prefix(ProofsText.limit).map { block($0, groups[$0] ?? [], report.proofs) }
        let rest = order.count + tickets.count - shown.count
        let more = rest > 0 ? ["  … and \(rest) more; --format json has them all"] : []
        return style.bold("Given secrets, held against the captured proofs") + "\n"
            + (shown + more).joined(separator: "\n")
    }

    /// Exchanges of which the same is said are shown once.
    private func statement(_ exchange: AuthenticationExchange, _ proof: ExchangeProof) -> String {
        let account = exchange.account.map { "\(PrintableText.visible($0)) " } ?? ""
        let scheme = PrintableText.visible(exchange.scheme.rawValue)
        let lines = proof.proofs.map { "\($0.subject.rawValue): \(PrintableText.visible($0.verdict.words))" }
        var seen: Set<String> = []
        return (["\(account)(\(scheme)): \(proof.conclusion.rawValue)"] + lines.filter { seen.insert($0).inserted })
            .joined(separator: "\n")
    }

    /// What is said of an exchange with a key distribution center.
    private func block(_ exchange: KDCExchange, _ proofs: [Proof]) -> String {
        let who = exchange.clientPrincipal.map { "\(PrintableText.visible($0)) " } ?? ""
        let packets = [exchange.request?.packet, exchange.response?.packet].compactMap { $0 }.map(String.init)
        let place = (packets.count == 1 ? "packet " : "packets ") + packets.joined(separator: ", ")
        var text = [PrintableText.wrap("\(who)(key distribution center)  [\(place)]", first: "  ", indent: 4)]
        for proof in proofs {
            let line = "\(proof.subject.rawValue): \(PrintableText.visible(proof.verdict.words))"
            text.append(PrintableText.wrap(line, first: "      ", indent: 8))
            text += details(proof)
        }
        return text.joined(separator: "\n")
    }

    private func details(_ proof: Proof) -> [String] {
        proof.details.prefix(16).map { field in
            PrintableText.wrap("\(field.name): \(words(field.value))", first: "        ", indent: 10)
        }
    }

    private func block(_ statement: String, _ exchanges: [AuthenticationExchange], _ proofs: Proofs) -> String {
        let lines = statement.split(separator: "\n").map(String.init)
        let packets = exchanges.prefix(6).map { "\($0.lastLeg.transaction.packet)" }.joined(separator: ", ")
        let more = exchanges.count > 6 ? " and \(exchanges.count - 6) more" : ""
        let place = exchanges.count == 1 ? "packet \(packets)" : "packets \(packets)\(more)"
        var text = [PrintableText.wrap("\(lines[0])  [\(place)]", first: "  ", indent: 4)]
        text += lines.dropFirst().map { PrintableText.wrap($0, first: "      ", indent: 8) }
        if let first = exchanges.first, let proof = proofs[exchange: first.number] {
            text += proof.proofs.flatMap(\.details).prefix(16).map { field in
                PrintableText.wrap("\(field.name): \(words(field.value))", first: "        ", indent: 10)
            }
        }
        return text.joined(separator: "\n")
    }

    private func words(_ value: SchemeField.Value) -> String {
        let text: String =
            switch value {
            case .text(let text): text
            case .number(let number): "\(number)"
            case .bytes(let bytes): Hex.encode(bytes)
            case .secret(let secret): secret.description
            case .list(let texts): texts.joined(separator: ", ")
            case .json: ""
            case .time(let seconds): CalendarDate.rfc3339(secondsSinceEpoch: Int64(seconds))
            }
        return PrintableText.visible(text)
    }
}
