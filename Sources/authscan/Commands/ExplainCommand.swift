import AuthScanDiagnosis
import AuthScanReport

/// Prints a rule's page: `authscan explain RULE`.
struct ExplainCommand: Equatable {
    let rule: String

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        var rules: [String] = []
        while let argument = reader.next() {
            switch argument {
            case .word(let word): rules.append(word)
            case .option(let name, _): throw .unknown("option", name, known: ["--help"])
            }
        }
        guard let rule = rules.first else { throw UsageError("explain needs a rule; authscan rules lists them") }
        guard rules.count == 1 else { throw UsageError("explain takes one rule") }
        guard rulePage(rule) != nil else {
            let error = UsageError.unknown("rule", rule, known: allRules.map(\.page.id))
            throw UsageError(error.message + "; authscan rules lists them")
        }
        self.rule = rule
    }

    func run(_ console: inout some Console) -> ExitStatus {
        guard let page = rulePage(rule), console.print(page.plainText) else { return .systemError }
        return .success
    }
}
