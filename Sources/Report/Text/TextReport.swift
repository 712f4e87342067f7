import AuthScanDiagnosis
import AuthScanSessions

/// Renders a report for people: headlines, the chains that break, what could not be assessed, the inventory.
public struct TextReport: Sendable {
    /// How many different ways of breaking are shown with all their findings.
    static let detailLimit = 20

    /// How many chains have a headline.
    static let headlineLimit = 50

    private let style: Style
    private let isVerbose: Bool

    /// Prepares a renderer; a verbose report shows each exchange's decoded messages as well.
    public init(isColoured: Bool, isVerbose: Bool = false) {
        style = Style(isColoured: isColoured)
        self.isVerbose = isVerbose
    }

    /// The report as text with a line end.
    public func render(_ report: Report) -> String {
        // Each kind is in the order of the numbers, as all are.
        let broken = report.chains.filter { $0.verdict == .broken }
        let others =
            report.chains.filter { $0.verdict == .cannotTell } + report.chains.filter { $0.verdict == .working }
        let sections = [
            headlines(broken + others, report),
            BrokenChainsText(style: style).render(broken, report.capture),
            OtherFindingsText(style: style).render(others),
            ProofsText(style: style).render(report),
            isVerbose ? ExchangesText(style: style).render(report.chains) : "",
            isVerbose ? KDCExchangesText(style: style).render(report.sessions.kdcExchanges) : "",
            NotAssessedText(style: style).render(report), InventoryText(style: style).render(report),
            DamageText(style: style).render(report),
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n") + "\n"
    }

    private func headlines(_ chains: [ReportedChain], _ report: Report) -> String {
        guard !chains.isEmpty else { return nothingFound(report) }
        var chainsBySpace = [Int](repeating: 0, count: (chains.lazy.map(\.spaceNumber).max() ?? 0) + 1)
        for chain in chains { chainsBySpace[chain.spaceNumber] += 1 }
        var lines = chains.prefix(TextReport.headlineLimit).map { chain in
            headline(chain, isOneOfSeveral: chainsBySpace[chain.spaceNumber] > 1, report)
        }
        let rest = chains.dropFirst(TextReport.headlineLimit)
        if !rest.isEmpty {
            let verdicts = [Verdict.broken, .cannotTell, .working].compactMap { verdict in
                let count = rest.count { $0.verdict == verdict }
                return count > 0 ? "\(count) \(verdict.words)" : nil
            }
            let text = "… and \(counted(rest.count, "more chain")): \(verdicts.joined(separator: ", ")); "
            lines.append(style.dim(text + "--format json has them all"))
        }
        return lines.joined(separator: "\n")
    }

    private func nothingFound(_ report: Report) -> String {
        if let host = report.host {
            let others = report.otherHosts.prefix(TextReport.detailLimit).map { PrintableText.visible($0) }
            let hint = others.isEmpty ? "" : " There is some for \(others.joined(separator: ", "))."
            let text = style.bold("No HTTP authentication was found for host \(PrintableText.visible(host)).")
            return PrintableText.wrap(text + hint, indent: 0)
        }
        let transactions = counted(report.transactionCount, "HTTP transaction")
        let text = report.transactionCount == 0 ? "there is no readable HTTP" : "\(transactions), none with a login"
        return style.bold("No HTTP authentication was found: \(text).")
    }

    private func headline(_ chain: ReportedChain, isOneOfSeveral: Bool, _ report: Report) -> String {
        var name = PrintableText.visible(chain.name)
        let process = chain.process(in: report.capture).map(\.name)
        let client = isOneOfSeveral ? "client \(chain.client)" : nil
        let details = [client, process].compactMap { $0 }
        if !details.isEmpty { name += " (\(details.joined(separator: ", ")))" }
        let text: String
        switch chain.verdict {
        case .working:
            text = "\(name): \(style.green("WORKING"))\(chain.users(.accepted, word: " as "))"
        case .cannotTell:
            let reason = chain.isUnreadable ? "the connection is encrypted" : "the capture does not show how it ends"
            text = "\(name): \(style.yellow("CANNOT TELL")): \(reason)"
        case .broken:
            let step = chain.breakpoint.map { " at \($0.step.rawValue)" } ?? ""
            let user = isOneOfSeveral ? chain.users(nil, word: " for ") : ""
            text = "\(name): \(style.red("BROKEN"))\(step)\(user): \(chain.cause)"
        }
        return PrintableText.wrap(text, indent: 4)
    }
}

/// "1 packet", "2 packets".
func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

extension Verdict {
    fileprivate var words: String {
        switch self {
        case .broken: "broken"
        case .cannotTell: "undecided"
        case .working: "working"
        }
    }
}
