import AuthScanBytes
import AuthScanDiagnosis
import AuthScanSchemes
import AuthScanSessions
import AuthScanWire

/// Renders a report for people: headlines, the chains that break, what could not be assessed, the inventory.
public struct TextReport: Sendable {
    /// How many broken chains are shown with all their findings.
    static let detailLimit = 20

    /// How many chains have a headline.
    static let headlineLimit = 50

    private let isColoured: Bool

    /// Prepares a renderer.
    public init(isColoured: Bool) { self.isColoured = isColoured }

    /// The report as text with a line end.
    public func render(_ report: Report) -> String {
        let sections = [
            headlines(report), details(report), notes(report), notAssessed(report), inventory(report), damage(report),
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private var style: Style { Style(isColoured: isColoured) }

    // MARK: Headlines

    private func headlines(_ report: Report) -> String {
        let chains = report.diagnosis.chains
        if chains.isEmpty, report.unreadable.isEmpty {
            return style.bold("No HTTP authentication was found.")
        }
        let ordered = chains.sorted { ($0.verdict.order, $0.number) < ($1.verdict.order, $1.number) }
        var lines = ordered.prefix(TextReport.headlineLimit).map { headline($0, in: report) }
        if ordered.count > lines.count {
            lines.append(style.dim("… and \(ordered.count - lines.count) more chains (--format json has them all)"))
        }
        lines += report.unreadable.prefix(TextReport.headlineLimit).map {
            "\($0.server): \(style.yellow("CANNOT TELL")): the connection is encrypted"
        }
        return lines.joined(separator: "\n")
    }

    private func headline(_ chain: DiagnosedChain, in report: Report) -> String {
        let name = PrintableText.visible(chain.name)
        switch chain.verdict {
        case .working: return "\(name): \(style.green("WORKING"))\(users(chain))"
        case .cannotTell: return "\(name): \(style.yellow("CANNOT TELL")): the capture does not show how it ends"
        case .broken:
            let step = chain.breakpoint.map { " at \($0.step.rawValue)" } ?? ""
            let cause = chain.breakpoint?.finding.map {
                PrintableText.visible(report.diagnosis.findings[$0 - 1].message)
            }
            let packet = chain.breakpoint.map { "no rule explains packet \($0.packet)" } ?? ""
            let text = "\(name): \(style.red("BROKEN"))\(step): \(cause ?? packet)"
            return PrintableText.wrap(text, indent: 4)
        }
    }

    private func users(_ chain: DiagnosedChain) -> String {
        var names: [String] = []
        for exchange in chain.session.exchanges where exchange.outcome == .accepted {
            guard let user = exchange.account, !names.contains(user), names.count < 4 else { continue }
            names.append(user)
        }
        return names.isEmpty ? "" : " as " + names.map(PrintableText.visible).joined(separator: ", ")
    }

    // MARK: Chains

    private func details(_ report: Report) -> String {
        report.diagnosis.chains.filter { $0.verdict == .broken }.prefix(TextReport.detailLimit)
            .map { detail($0, in: report) }.joined(separator: "\n\n")
    }

    private func detail(_ chain: DiagnosedChain, in report: Report) -> String {
        let title = "chain \(chain.number)  \(PrintableText.visible(chain.name))  client \(chain.session.client)"
        let findings = chain.findings.map { report.diagnosis.findings[$0 - 1] }
        let consequences = Set(findings.flatMap(\.explains))
        let blocks = findings.filter { !consequences.contains($0.number) }.map { finding in
            let lines = [block(finding)] + findings.filter { finding.explains.contains($0.number) }.map(consequence)
            return lines.joined(separator: "\n")
        }
        return ([style.bold(title) + "\n" + steps(chain)] + blocks).joined(separator: "\n\n")
    }

    /// The row of steps in two lines of five.
    private func steps(_ chain: DiagnosedChain) -> String {
        let cells = chain.steps.map { result in
            let packet = result.packet.map { " \($0)" } ?? ""
            return "\(mark(result.state)) \(result.step.rawValue)\(style.dim(packet))"
        }
        return "  " + cells.prefix(5).joined(separator: "  ") + "\n  " + cells.dropFirst(5).joined(separator: "  ")
    }

    private func mark(_ state: StepState) -> String {
        switch state {
        case .ok: style.green("✓")
        case .broken: style.red("✗")
        case .notNeeded: "·"
        case .notReached: "–"
        case .cannotTell: style.yellow("?")
        }
    }

    private func block(_ finding: Finding) -> String {
        let confidence = finding.confidence == .certain ? "" : ", \(finding.confidence.rawValue)"
        var lines = ["  \(painted(finding.severity))\(confidence)  \(style.bold(finding.rule))"]
        lines.append(PrintableText.wrap(PrintableText.visible(finding.message), first: "    ", indent: 4))
        if let page = rulePage(finding.rule) {
            lines.append(PrintableText.wrap(page.why, first: "    why     ", indent: 12))
            for advice in page.fix {
                lines.append(PrintableText.wrap(advice.text, first: "    \(advice.side.label)", indent: 12))
            }
        }
        let packets = finding.packets.map { "\($0)" }.joined(separator: ", ")
        lines.append(PrintableText.wrap("frame.number in {\(packets)}", first: "    show    ", indent: 12))
        lines.append("    more    authscan explain \(finding.rule)")
        return lines.joined(separator: "\n")
    }

    private func consequence(_ finding: Finding) -> String {
        let text = "\(finding.rule): \(PrintableText.visible(finding.message))"
        return PrintableText.wrap(text, first: "    so      ", indent: 12)
    }

    private func painted(_ severity: Severity) -> String {
        switch severity {
        case .error: style.red("error")
        case .warning: style.yellow("warning")
        case .note: "note"
        }
    }

    // MARK: Other findings

    /// The findings of chains that work, one line a rule.
    private func notes(_ report: Report) -> String {
        let broken = Set(report.diagnosis.chains.filter { $0.verdict == .broken }.map(\.number))
        var byRule: [(rule: String, findings: [Finding])] = []
        for finding in report.diagnosis.findings where !broken.contains(finding.chain) {
            if let index = byRule.firstIndex(where: { $0.rule == finding.rule }) {
                byRule[index].findings.append(finding)
            } else {
                byRule.append((finding.rule, [finding]))
            }
        }
        return byRule.map { rule, findings in
            let count = findings.count > 1 ? " (the same in \(findings.count - 1) more places)" : ""
            let packet = findings[0].packets.first.map { ", packet \($0)" } ?? ""
            let text = "\(rule): \(PrintableText.visible(findings[0].message))\(packet)\(count)"
            let head = "\(painted(findings[0].severity))  "
            return PrintableText.wrap(text, first: head, indent: 4)
        }.joined(separator: "\n")
    }

    private func notAssessed(_ report: Report) -> String {
        var lines = report.remarks
        let encrypted = report.encryptedConnections.count
        if encrypted > 0 { lines.append("\(counted(encrypted, "connection")) with TLS: not decrypted, so not read") }
        lines += report.diagnosis.notAssessed.map { "\($0.rule): \($0.incompleteness.reason)" }
        guard !lines.isEmpty else { return "" }
        return style.bold("Not assessed") + "\n"
            + lines.map { PrintableText.wrap($0, first: "  ", indent: 4) }.joined(separator: "\n")
    }

    // MARK: Inventory

    private func inventory(_ report: Report) -> String {
        let capture = report.capture
        var lines = ["  " + counted(capture.packets, "packet") + timeSpan(capture)]
        lines.append(
            "  \(counted(capture.connections.count, "connection")), \(counted(report.sessions.transactionsByClient.values.reduce(0) { $0 + $1.count }, "transaction")),"
                + " \(counted(report.sessions.exchanges.count, "exchange"))\(outcomes(report))"
        )
        for space in report.sessions.spaces.prefix(20) {
            let realm = space.realm.map { " realm \"\(PrintableText.visible($0))\"" } ?? ""
            let schemes = space.schemes.map { PrintableText.visible($0.rawValue) }.joined(separator: ", ")
            let kind = space.isProxy ? " (proxy)" : ""
            let text = "\(PrintableText.visible(space.origin.description))\(kind)\(realm)  \(schemes)"
            lines.append(PrintableText.wrap(text, first: "  ", indent: 4))
        }
        if report.sessions.spaces.count > 20 {
            lines.append("  … \(report.sessions.spaces.count - 20) more protection spaces")
        }
        return style.bold("Inventory") + "\n" + lines.joined(separator: "\n")
    }

    private func timeSpan(_ capture: WireCapture) -> String {
        guard let first = capture.firstTime, let last = capture.lastTime else { return "" }
        let tenths = Int((last.seconds(since: first) * 10).rounded())
        return ", \(first.rfc3339.prefix(19))Z and \(tenths / 10).\(tenths % 10) s on"
    }

    private func outcomes(_ report: Report) -> String {
        var counts: [AuthenticationExchange.Outcome: Int] = [:]
        for exchange in report.sessions.exchanges { counts[exchange.outcome, default: 0] += 1 }
        let order: [AuthenticationExchange.Outcome] = [.accepted, .rejected, .broken, .abandoned, .unknown]
        let words = order.compactMap { outcome in counts[outcome].map { "\($0) \(outcome.rawValue)" } }
        return words.isEmpty ? "" : " (\(words.joined(separator: ", ")))"
    }

    private func damage(_ report: Report) -> String {
        let problems = report.capture.problems.map { "\($0.file): \($0.message)" }
        let limits = (report.capture.limitsExceeded + report.diagnosis.limitsExceeded).map {
            "limit of \($0.value) \($0.limit) met: \($0.leftOut) more are counted, not kept"
        }
        let lines = (problems + limits).map {
            PrintableText.wrap(PrintableText.visible($0), first: "  ", indent: 4)
        }
        return lines.isEmpty ? "" : style.bold("Damage and limits") + "\n" + lines.joined(separator: "\n")
    }

    private func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension DiagnosedChain {
    /// The protection space as a person names it.
    fileprivate var name: String {
        let proxy = session.space.isProxy ? "proxy " : ""
        return proxy + session.space.origin.shortDescription + (session.space.realm.map { " \"\($0)\"" } ?? "")
    }
}

extension AuthenticationExchange {
    /// `DOMAIN\user`, or the user alone.
    fileprivate var account: String? {
        user.map { user in domain.map { $0.isEmpty ? user : "\($0)\\\(user)" } ?? user }
    }
}

extension Verdict {
    /// Broken chains come first.
    fileprivate var order: Int {
        switch self {
        case .broken: 0
        case .cannotTell: 1
        case .working: 2
        }
    }
}

extension Advice.Side {
    /// The word before a piece of advice, as wide as the other words of a finding.
    fileprivate var label: String {
        switch self {
        case .server: "server  "
        case .client: "client  "
        case .network: "network "
        }
    }
}
