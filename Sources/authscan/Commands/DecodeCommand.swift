import AuthScanReport

/// Decodes header fields and tokens: `authscan decode [TOKEN|HEADER]`.
struct DecodeCommand: Equatable {
    /// The field or token; `nil` for standard input.
    var input: String?
    var format = ScanOptions.Format.text
    var showsSecrets = false

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        var words: [String] = []
        while let argument = reader.next() {
            switch argument {
            case .option("--show-secrets", nil): showsSecrets = true
            case .option("--format", let value): format = try ScanOptions.format(reader.value(of: "--format", value))
            case .option(let name, _): throw .unknown("option", name, known: ["--format", "--show-secrets", "--help"])
            case .word(let word): words.append(word)
            }
        }
        // A shell splits an unquoted field value into words.
        input = words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ")
    }

    func run(_ console: inout some Console) -> ExitStatus {
        let field = FieldReport(secrets: showsSecrets ? .show : .redact)
        let pasted = input ?? console.readInput()
        let output = format == .json ? field.json(pasted) : field.text(pasted).map { Array($0.utf8) }
        guard let output else {
            console.complain("nothing to decode")
            return .unreadableInput
        }
        return console.print(output) ? .success : .systemError
    }
}
