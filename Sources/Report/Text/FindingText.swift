import AuthScanDiagnosis
import AuthScanSessions
import AuthScanWire

/// Findings as blocks: what happened, where to see it, why it breaks, how to mend it.
struct FindingText {
    let style: Style
    private let places: PacketPlaces

    /// The rules whose pages were quoted already.
    private var quoted: Set<String> = []

    init(style: Style, places: PacketPlaces) {
        self.style = style
        self.places = places
    }

    /// The findings of a chain, causes first, with their consequences below them.
    mutating func render(_ chain: ReportedChain) -> [String] {
        let consequences = Set(chain.findings.flatMap(\.explains))
        var blocks: [String] = []
        var seen: Set<String> = []
        for finding in chain.findings where !consequences.contains(finding.number) {
            guard seen.insert(finding.rule).inserted else { continue }
            let again = chain.findings.filter { $0.rule == finding.rule && $0.number != finding.number }
            let caused = chain.findings.filter { finding.explains.contains($0.number) }
            blocks.append(block(finding, again: again, caused: caused, in: chain))
        }
        return blocks
    }

    private mutating func block(
        _ finding: Finding,
        again: [Finding],
        caused: [Finding],
        in chain: ReportedChain
    ) -> String {
        let confidence = finding.confidence == .certain ? "" : ", \(finding.confidence.rawValue)"
        var lines = ["  \(style.painted(finding.severity))\(confidence)  \(style.bold(finding.rule))"]
        lines.append(PrintableText.wrap(PrintableText.visible(finding.message), first: "    ", indent: 4))
        lines += evidence(finding, in: chain)
        if !again.isEmpty {
            let packets = again.compactMap(\.packets.first).prefix(12).map { "\($0)" }.joined(separator: ", ")
            let more = again.count > 12 ? ", …" : ""
            lines.append(row("again", "\(counted(again.count, "time")) more, in packets \(packets)\(more)"))
        }
        lines += advice(finding.rule)
        lines += consequences(caused)
        lines += filters(finding.packets)
        lines.append(row("more", "authscan explain \(finding.rule)"))
        return lines.joined(separator: "\n")
    }

    /// The messages that show it, in packet order; `✗` marks the decisive one, which is enough for what breaks nothing.
    private func evidence(_ finding: Finding, in chain: ReportedChain) -> [String] {
        var messages: [(packet: Int, text: String)] = []
        for transaction in finding.transactions.prefix(6).compactMap(chain.transaction) {
            if let packet = transaction.request?.evidence.headPacket, finding.packets.contains(packet) {
                messages.append((packet, "→ " + transaction.requestSummary))
            }
            if let packet = transaction.responsePacket, finding.packets.contains(packet) {
                messages.append((packet, "← " + transaction.responseSummary))
            }
        }
        messages += KDCText.messages(of: chain.kdcExchanges, in: finding.packets)
        if finding.transactions.isEmpty, let connection = finding.connections.first {
            messages += chain.bareTLS.filter { $0.connection == connection }.flatMap(TLSText.messages)
        }
        if finding.severity < .error { messages.removeAll { $0.packet != finding.packets.first } }
        messages.sort { $0.packet < $1.packet }
        let numbers = messages.prefix(8).map { words($0.packet) }
        let width = numbers.map(\.utf8.count).max() ?? 0
        return zip(messages, numbers).map { message, number in
            let number = String(repeating: " ", count: width - number.utf8.count) + number
            let isDecisive = message.packet == finding.packets.first
            let line = "    \(isDecisive ? "✗" : " ") packet \(number)  \(message.text)"
            return isDecisive ? style.bold(PrintableText.cut(line)) : PrintableText.cut(line)
        }
    }

    /// The display filters that show the packets: one for each file, in the order in which the packets name them.
    private func filters(_ packets: [Int]) -> [String] {
        var files: [String] = []
        var numbers: [String: [String]] = [:]
        for packet in packets {
            let place = places.place(of: packet)
            let file = place?.file ?? ""
            if numbers[file] == nil { files.append(file) }
            numbers[file, default: []].append("\(place?.packet ?? packet)")
        }
        return files.map { file in
            let name = file.isEmpty ? "" : PrintableText.visible(file, limit: .max) + ": "
            return row("filter", "\(name)frame.number in {\((numbers[file] ?? []).joined(separator: ", "))}")
        }
    }

    /// A packet's number, and its place where there are several files.
    private func words(_ packet: Int) -> String {
        guard let place = places.place(of: packet) else { return "\(packet)" }
        let name = place.file.split(separator: "/").last.map(String.init) ?? place.file
        return "\(packet) (\(PrintableText.cut(PrintableText.visible(name), columns: 24)) \(place.packet))"
    }

    private mutating func advice(_ rule: String) -> [String] {
        guard let page = rulePage(rule) else { return [] }
        guard quoted.insert(rule).inserted else { return [row("why", "and how to fix: see above")] }
        return [row("why", page.why)] + page.fix.map { row("fix", "\($0.side.rawValue): \($0.text)") }
    }

    /// One line a rule: many findings may follow from one cause.
    private func consequences(_ findings: [Finding]) -> [String] {
        var counts: [String: Int] = [:]
        for finding in findings { counts[finding.rule, default: 0] += 1 }
        return findings.compactMap { finding in
            guard let count = counts.removeValue(forKey: finding.rule) else { return nil }
            let more = count > 1 ? " (and \(counted(count - 1, "time")) more)" : ""
            return row("so", "\(finding.rule): \(PrintableText.visible(finding.message))\(more)")
        }
    }

    private func row(_ label: String, _ text: String) -> String {
        let padding = String(repeating: " ", count: max(1, 8 - label.utf8.count))
        return PrintableText.wrap(text, first: "    \(style.dim(label))\(padding)", indent: 12)
    }
}

/// What the rules found in chains that are not broken: one line a rule.
struct OtherFindingsText {
    let style: Style

    /// What one rule found.
    private struct Group {
        let first: Finding
        var count = 0
        /// In how many chains, and the last one.
        var chains = 0
        var lastChain = 0
    }

    func render(_ chains: [ReportedChain]) -> String {
        var groups: [Group] = []
        var places: [String: Int] = [:]
        // The place of the last rule: mostly the next finding is of the same one.
        var place = 0
        for chain in chains {
            for index in chain.findings.indices {
                let rule = chain.findings[index].rule
                if groups.isEmpty || groups[place].first.rule != rule {
                    place = places[rule] ?? groups.count
                    if place == groups.count {
                        places[rule] = place
                        groups.append(Group(first: chain.findings[index]))
                    }
                }
                groups[place].count += 1
                guard groups[place].lastChain != chain.number else { continue }
                groups[place].chains += 1
                groups[place].lastChain = chain.number
            }
        }
        guard !groups.isEmpty else { return "" }
        return style.bold("Also seen where nothing is broken") + "\n"
            + groups.sorted { $0.first.severity > $1.first.severity }.map(line).joined(separator: "\n")
    }

    private func line(_ group: Group) -> String {
        let first = group.first
        let packet = first.packets.first.map { "packet \($0)" } ?? ""
        let times = group.count > group.chains ? "\(group.count) times in " : "the same in "
        let more = group.count > 1 ? "; \(times)\(counted(group.chains, "chain"))" : ""
        let text = "\(first.rule): \(PrintableText.visible(first.message)) (\(packet)\(more))"
        return PrintableText.wrap(text, first: "  \(style.painted(first.severity))  ", indent: 4)
    }
}
