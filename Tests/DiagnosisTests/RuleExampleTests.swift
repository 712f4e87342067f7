import AuthScanDiagnosis
import TestPipeline
import TestSupport
import Testing

/// Runs every rule on the examples that its own page shows, as they stand and transformed.
@Suite struct RuleExampleTests {
    private static func packets(of rule: String, in example: String, _ style: CaptureStyle) throws -> [Int] {
        try diagnosis(of: example, style: style).findings.filter { $0.rule == rule }.compactMap(\.packets.first)
            .sorted()
    }

    @Test("every page shows where its rule fires, and a near miss", arguments: allRules.map(\.page.id))
    func hasExamples(id: String) throws {
        let page = try #require(rulePage(id))
        #expect(!page.triggering.isEmpty && !page.notTriggering.isEmpty)
        for example in page.triggering { #expect(example.contains("↓"), "\(example)") }
        for example in page.notTriggering { #expect(!example.contains("↓"), "\(example)") }
    }

    @Test("no rule quotes a secret of a URI")
    func quotesNoSecrets() throws {
        let canary = "Canary-7f3a9c"
        var fired: Set<String> = []
        for example in allRules.flatMap(\.page.triggering) {
            let planted = example.replacing(/(> (?:↓)?[A-Z]+ (?:http:\/\/[^\/ \n]+)?)(\/[^? \n]*)/) {
                "\($0.1)\($0.2);jsessionid=\(canary)"
            }.replacing(/(> [^\n]*;jsessionid=[^? \n]+)(\?[^ \n]*)?/) {
                "\($0.1)\($0.2.map { "\($0)&" } ?? "?")access_token=\(canary)"
            }.replacing(/(uri="(?:http:\/\/[^\/"]+)?\/[^?"]*)(\?[^"]*)?/) {
                "\($0.1);jsessionid=\(canary)\($0.2.map { "\($0)&" } ?? "?")access_token=\(canary)"
            }
            let findings = try diagnosis(of: planted).findings
            fired.formUnion(findings.map(\.rule))
            for finding in findings { #expect(!finding.message.contains(canary), "\(finding.message)") }
        }
        // Some look at the path, and find nothing where it has changed.
        #expect(fired.count >= allRules.count - 4, "\(Set(allRules.map(\.page.id)).subtracting(fired))")
    }

    @Test("a rule finds what its examples mark, however the packets came", arguments: allRules.map(\.page.id))
    func findsWhatItsExamplesMark(id: String) throws {
        let page = try #require(rulePage(id))
        for example in page.triggering + page.notTriggering {
            for (name, style) in [("plain", CaptureStyle.plain)] + CaptureStyle.all(seed: 7) {
                let marked = try Transcript(example).capture(style).markedPackets
                #expect(try Self.packets(of: id, in: example, style) == marked, "\(name)\n\(example)")
            }
        }
    }
}
