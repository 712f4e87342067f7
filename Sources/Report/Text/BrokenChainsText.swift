import AuthScanDiagnosis
import AuthScanSessions
import AuthScanWire

/// The section with the broken chains: their steps, and what explains them.
///
/// Chains that break in the same way are shown once, with the others named below; a rule's page is quoted once.
struct BrokenChainsText {
    let style: Style

    /// Chains that break at the same step of the same space, with the same findings.
    private struct Manner: Hashable {
        let space: Int
        let step: ChainStep?
        let rules: [String]
    }

    func render(_ chains: [ReportedChain], _ capture: WireCapture) -> String {
        var order: [Manner] = []
        var groups: [Manner: [ReportedChain]] = [:]
        for chain in chains {
            var rules: [String] = []
            for finding in chain.findings where !rules.contains(finding.rule) { rules.append(finding.rule) }
            let manner = Manner(space: chain.spaceNumber, step: chain.breakpoint?.step, rules: rules)
            if groups[manner] == nil { order.append(manner) }
            groups[manner, default: []].append(chain)
        }
        var findings = FindingText(style: style, places: capture.places)
        var sections = order.prefix(TextReport.detailLimit).map { detail(groups[$0] ?? [], capture, &findings) }
        if order.count > TextReport.detailLimit {
            let rest = order.count - TextReport.detailLimit
            let text = "… \(counted(rest, "more way")) of breaking, not shown in full; --format json has them all"
            sections.append(style.dim(text))
        }
        return sections.joined(separator: "\n\n")
    }

    private func detail(
        _ chains: [ReportedChain],
        _ capture: WireCapture,
        _ findings: inout FindingText
    ) -> String {
        guard let chain = chains.first else { return "" }
        let process = chain.process(in: capture).map { ", \($0.nameWithIDs)" } ?? ""
        let title = "chain \(chain.number)  \(PrintableText.visible(chain.name))  client \(chain.client)\(process)"
        var blocks = [PrintableText.wrap(style.bold(title), indent: 4) + "\n" + steps(chain)]
        blocks += findings.render(chain)
        if chain.findings.isEmpty, let packet = chain.breakpoint?.packet {
            let text = "No rule explains what happens in packet \(packet); look at frame.number == \(packet)"
            blocks.append(PrintableText.wrap(text, first: "  ", indent: 2))
        }
        if chains.count > 1 { blocks.append(others(chains.dropFirst())) }
        return blocks.joined(separator: "\n\n")
    }

    private func others(_ chains: ArraySlice<ReportedChain>) -> String {
        let names = chains.prefix(12).map { chain in
            "\(chain.number) (\(chain.client), packet \(chain.breakpoint?.packet ?? 0))"
        }
        let rest = chains.count > names.count ? " and \(chains.count - names.count) more" : ""
        let text = "The same in \(counted(chains.count, "more chain")): \(names.joined(separator: ", "))\(rest)"
        return PrintableText.wrap(text, first: "  ", indent: 4)
    }

    /// The row of ten steps, with the packet that shows each.
    private func steps(_ chain: ReportedChain) -> String {
        let cells = chain.steps.map { result in
            let packet = result.packet.map { style.dim(" \($0)") } ?? ""
            return "\(mark(result.state)) \(result.step.words)\(packet)"
        }
        return "  " + cells.prefix(5).joined(separator: "  ") + "\n  " + cells.dropFirst(5).joined(separator: "  ")
    }

    private func mark(_ state: StepState) -> String {
        switch state {
        case .ok: style.green("✓")
        case .broken: style.red("✗")
        case .notNeeded, .notReached: "·"
        case .cannotTell: style.yellow("?")
        }
    }
}

extension ChainStep {
    /// The step's name as a person writes it.
    fileprivate var words: String { self == .clientCertificate ? "client certificate" : rawValue }
}
