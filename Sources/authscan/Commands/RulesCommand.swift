import AuthScanDiagnosis
import AuthScanReport

/// Lists the rules: `authscan rules`.
struct RulesCommand: Equatable {
    var isJSON = false

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        while let argument = reader.next() {
            switch argument {
            case .option("--format", let value):
                let word = try reader.value(of: "--format", value)
                guard let format = ScanCommand.Format(rawValue: word) else {
                    throw .unknown("format", word, known: ScanCommand.Format.allCases.map(\.rawValue))
                }
                isJSON = format == .json
            case .option(let name, _): throw .unknown("option", name, known: ["--format"])
            case .word(let word): throw UsageError("unexpected argument '\(printable(word))'")
            }
        }
    }

    func run(_ console: inout some Console) -> ExitStatus {
        let pages = allRules.map(\.page)
        if isJSON {
            console.print(rulePagesJSON(pages))
        } else {
            let width = pages.map(\.id.count).max() ?? 0
            for page in pages {
                let id = page.id + String(repeating: " ", count: width - page.id.count)
                let severity = page.severity.rawValue + String(repeating: " ", count: 7 - page.severity.rawValue.count)
                console.print("\(id)  \(severity)  \(page.title)\n")
            }
        }
        return .success
    }
}

/// Prints a rule's page: `authscan explain RULE`.
struct ExplainCommand: Equatable {
    let rule: String

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        guard case .word(let rule)? = reader.next() else {
            throw UsageError("explain needs a rule; authscan rules lists them")
        }
        if reader.next() != nil { throw UsageError("explain takes one rule") }
        guard rulePage(rule) != nil else { throw .unknown("rule", rule, known: allRules.map(\.page.id)) }
        self.rule = rule
    }

    func run(_ console: inout some Console) -> ExitStatus {
        if let page = rulePage(rule) { console.print(page.plainText) }
        return .success
    }
}
