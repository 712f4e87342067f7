import AuthScanReport

/// Decodes one header field or token: `authscan decode [TOKEN|HEADER]`.
struct DecodeCommand: Equatable {
    var input: String?
    var showsSecrets = false

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        var words: [String] = []
        while let argument = reader.next() {
            switch argument {
            case .option("--show-secrets", nil): showsSecrets = true
            case .option(let name, _): throw .unknown("option", name, known: ["--show-secrets"])
            case .word(let word): words.append(word)
            }
        }
        // A shell splits an unquoted field value into words.
        input = words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ")
    }

    func run(_ console: inout some Console) -> ExitStatus {
        let field = FieldReport(secrets: showsSecrets ? .show : .redact)
        let lines = (input ?? console.readInput()).split(whereSeparator: \.isNewline)
        guard !lines.isEmpty else {
            console.complain("nothing to decode")
            return .unreadableInput
        }
        for line in lines { console.print(field.render(String(line))) }
        return .success
    }
}
