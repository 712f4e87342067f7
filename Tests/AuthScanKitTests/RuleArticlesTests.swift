import AuthScanReport
import Foundation
import Testing

@testable import AuthScanDiagnosis

/// Holds the articles of the rules against the pages that they are made from.
///
/// `make golden` writes them anew.
@Suite(.serialized) struct RuleArticlesTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Sources/AuthScanKit/AuthScanKit.docc/Rules").standardized
    private static let isUpdating = ProcessInfo.processInfo.environment["AUTHSCAN_UPDATE_GOLDEN"] == "1"

    /// The articles by the names of their files.
    private var articles: [String: String] {
        let pages = allRules.map(\.page)
        let ofRules = pages.map { ("\($0.id).md", $0.article) }
        return Dictionary(uniqueKeysWithValues: ofRules + [("Rules.md", RulePage.index(of: pages))])
    }

    @Test func everyRuleHasItsArticle() throws {
        for (name, article) in articles {
            let file = Self.folder.appending(path: name)
            if Self.isUpdating { try Data(article.utf8).write(to: file) }
            let kept = try? String(contentsOf: file, encoding: .utf8)
            // Compared outside of the macro, which would print both in full.
            let isSame = kept == article
            #expect(isSame, "\(name) differs; make golden writes it anew")
        }
    }

    @Test func everyArticleHasItsRule() throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path())
        let stale = Set(names).subtracting(articles.keys)
        #expect(stale.isEmpty)
    }

    @Test func nothingInAnArticleIsMarkupByAccident() {
        let page = RulePage(
            id: "some-fault",
            severity: .warning,
            step: .answer,
            title: "A <b>title</b> of #1",
            what: "What `is` *there*",
            why: "Why_so",
            fix: [.server("Send [this] | that")],
            verify: "See ~ that",
            explains: ["other-fault"],
            sources: ["RFC 9110 §11"],
            triggering: ["> GET /<b>"],
            notTriggering: ["< 200"]
        )
        let article = page.article
        #expect(article.hasPrefix("# some-fault\n\nA \\<b\\>title\\</b\\> of \\#1.\n\n"))
        #expect(article.contains("Severity: **warning**, breaks the step `answer`."))
        #expect(article.contains("What \\`is\\` \\*there\\*"))
        #expect(article.contains("- **server**: Send \\[this\\] \\| that"))
        #expect(article.contains("- <doc:other-fault>"))
        #expect(article.contains("## Fires on\n\n```\n> GET /<b>\n```"))
        #expect(!article.contains("## Look-alikes") && !article.contains("## Samples"))
    }
}
