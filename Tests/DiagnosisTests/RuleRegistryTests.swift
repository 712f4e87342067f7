import AuthScanDiagnosis
import Foundation
import Testing

@Suite struct RuleRegistryTests {
    private static let rules = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/Diagnosis/Rules").standardized

    /// A rule file that nobody added to `allRules` would never run.
    @Test func everyRuleFileIsRegistered() throws {
        let files = try FileManager.default.subpathsOfDirectory(atPath: Self.rules.path())
            .filter { $0.hasSuffix(".swift") }
            .map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
        #expect(Set(files) == Set(allRules.map { "\(type(of: $0))" }))
    }

    @Test func idsAreUniqueAndWellFormed() {
        let ids = allRules.flatMap { [$0.page.id] + $0.page.formerIDs }
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)+/) != nil, "\(id)") }
    }

    @Test("a page says everything a reader needs", arguments: allRules.map(\.page.id))
    func isComplete(id: String) throws {
        let page = try #require(rulePage(id))
        for text in [page.title, page.what, page.why, page.verify] { #expect(!text.isEmpty) }
        #expect(!page.title.hasSuffix("."))
        #expect(!page.fix.isEmpty && !page.sources.isEmpty)
        for other in page.explains + page.supersedes {
            #expect(other != id)
            #expect(rulePage(other) != nil, "\(id) names \(other)")
        }
    }

    @Test("a rule fires in the samples that its page names", arguments: allRules.map(\.page))
    func firesInItsSamples(page: RulePage) throws {
        for name in page.samples {
            let file = Self.rules.appending(path: "../../../samples/expected/\(name).pcap.json").standardized
            let report = try String(contentsOf: file, encoding: .utf8)
            #expect(report.contains("\"rule\":\"\(page.id)\""), "\(page.id) in \(name)")
        }
    }
}
