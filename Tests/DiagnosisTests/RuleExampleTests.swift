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
