import AuthScanDiagnosis
import AuthScanReport

/// Lists the rules: `authscan rules`.
struct RulesCommand: Equatable {
    var format = ScanOptions.Format.text

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        while let argument = reader.next() {
            switch argument {
            case .option("--format", let value): format = try ScanOptions.format(reader.value(of: "--format", value))
            case .option(let name, _): throw .unknown("option", name, known: ["--format", "--help"])
            case .word(let word):
                throw UsageError(
                    "unexpected argument '\(PrintableText.visible(word))'; authscan explain prints a rule's page"
                )
            }
        }
    }

    func run(_ console: inout some Console) -> ExitStatus {
        let pages = allRules.map(\.page)
        if format == .json { return console.print(rulePagesJSON(pages)) ? .success : .systemError }
        let width = pages.map(\.id.utf8.count).max() ?? 0
        let lines = pages.map { page in
            "\(padded(page.id, width))  \(padded(page.severity.rawValue, 7))  \(page.title)\n"
        }
        return console.print(lines.joined()) ? .success : .systemError
    }

    private func padded(_ word: String, _ width: Int) -> String {
        word + String(repeating: " ", count: max(0, width - word.utf8.count))
    }
}
