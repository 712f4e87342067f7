import AuthScanReport

/// Decodes header fields and tokens: `authscan decode [TOKEN|HEADER]`.
struct DecodeCommand: Equatable {
    /// The field or token; `nil` for standard input.
    var input: String?
    var format = ScanOptions.Format.text
    var showsSecrets = false
    /// The files of secrets against which the proofs of NTLM handshakes are held.
    var secrets = SecretFiles()

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        var words: [String] = []
        while let argument = reader.next() {
            switch argument {
            case .option("--show-secrets", nil): showsSecrets = true
            case .option("--format", let value): format = try ScanOptions.format(reader.value(of: "--format", value))
            case .option(let name, let value):
                guard try !secrets.take(name, value, &reader) else { continue }
                let known = ["--format", "--show-secrets", "--help"] + SecretFiles.names
                throw .unknown("option", name, known: known)
            case .word(let word): words.append(word)
            }
        }
        // A shell splits an unquoted field value into words.
        input = words.isEmpty || words == ["-"] ? nil : words.joined(separator: " ")
    }

    func run(_ console: inout some Console) -> ExitStatus {
        guard let known = secrets.read(&console) else { return .unreadableInput }
        let field = FieldReport(secrets: showsSecrets ? .show : .redact, known: known)
        let pasted = input ?? console.readInput()
        let output = format == .json ? field.json(pasted) : field.text(pasted).map { Array($0.utf8) }
        guard let output else {
            console.complain("nothing to decode")
            return .unreadableInput
        }
        return console.print(output) ? .success : .systemError
    }
}
