public import AuthScanDiagnosis

extension RulePage {
    /// The page as an article of the documentation, in DocC's Markdown.
    public var article: String {
        var sections = ["# \(id)", escaped(title) + "."]
        let place = step.map { ", breaks the step `\($0.rawValue)`" } ?? ""
        sections.append("Severity: **\(severity.rawValue)**\(place).")
        sections.append(section("What the capture shows", escaped(what)))
        sections.append(section("Why", escaped(why)))
        sections.append(list("How to fix", fix.map { "**\($0.side.rawValue)**: \(escaped($0.text))" }))
        sections.append(section("How to verify", escaped(verify)))
        if !lookAlikes.isEmpty { sections.append(list("Look-alikes", lookAlikes.map(escaped))) }
        if !explains.isEmpty { sections.append(list("Explains", explains.map(RulePage.link))) }
        if !supersedes.isEmpty { sections.append(list("Says more than", supersedes.map(RulePage.link))) }
        sections.append(list("Sources", sources.map(escaped)))
        sections.append(examples("Fires on", triggering))
        sections.append(examples("Stays silent on", notTriggering))
        if !samples.isEmpty { sections.append(list("Samples", samples.map { "`\($0)`" })) }
        return sections.joined(separator: "\n\n") + "\n"
    }

    /// The article that lists the articles of all rules, the heaviest rules first.
    public static func index(of pages: [RulePage]) -> String {
        var sections = [
            "# Rules",
            "What authscan finds, one page a rule.",
            """
            Each page says what the capture shows, why that breaks the authentication, who can mend it and how to see that it is \
            mended, what looks like it and is something else, and on which conversations the rule fires or stays silent: the \
            tests run these. `authscan explain RULE` prints the same page. In a conversation `>` is a request and `<` a \
            response, and `↓` marks the message whose packet decides.
            """,
            "## Topics",
        ]
        for severity in Severity.allCases.sorted(by: >) {
            let links = pages.filter { $0.severity == severity }.map { "- \(link($0.id))" }.sorted()
            sections.append("### Severity \(severity.rawValue)\n\n" + links.joined(separator: "\n"))
        }
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static func link(_ id: String) -> String { "<doc:\(id)>" }

    private func section(_ title: String, _ text: String) -> String { "## \(title)\n\n\(text)" }

    private func list(_ title: String, _ items: [String]) -> String {
        section(title, items.map { "- \($0)" }.joined(separator: "\n"))
    }

    private func examples(_ title: String, _ transcripts: [String]) -> String {
        section(title, transcripts.map { "```\n\($0)\n```" }.joined(separator: "\n\n"))
    }

    /// Text in which nothing is markup.
    private func escaped(_ text: String) -> String {
        var result = ""
        for character in text {
            if "\\`*_<>[]|#~".contains(character) { result.append("\\") }
            result.append(character)
        }
        return result
    }
}
