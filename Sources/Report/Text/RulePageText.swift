public import AuthScanDiagnosis

extension RulePage {
    /// The page as `authscan explain` prints it.
    public var plainText: String {
        var sections = ["\(id) (\(severity.rawValue))\n\(title)"]
        sections.append(section("What", what))
        sections.append(section("Why", why))
        sections.append(
            "How to fix\n"
                + fix.map { PrintableText.wrap($0.text, first: "  \($0.side.rawValue): ", indent: 4) }
                .joined(separator: "\n")
        )
        sections.append(section("How to verify", verify))
        if !lookAlikes.isEmpty { sections.append(list("Look-alikes", lookAlikes)) }
        sections.append(list("Sources", sources))
        sections.append(examples("Fires on", triggering))
        sections.append(examples("Stays silent on", notTriggering))
        if !samples.isEmpty { sections.append(list("Samples", samples)) }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private func section(_ title: String, _ text: String) -> String {
        title + "\n" + PrintableText.wrap(text, first: "  ", indent: 2)
    }

    private func list(_ title: String, _ items: [String]) -> String {
        title + "\n" + items.map { PrintableText.wrap($0, first: "  - ", indent: 4) }.joined(separator: "\n")
    }

    private func examples(_ title: String, _ transcripts: [String]) -> String {
        let blocks = transcripts.map { transcript in
            transcript.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 }.joined(
                separator: "\n"
            )
        }
        return title + "\n" + blocks.joined(separator: "\n\n")
    }
}
