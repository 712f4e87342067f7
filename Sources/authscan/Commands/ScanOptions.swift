import AuthScanDiagnosis

/// The command line of the main job.
struct ScanOptions: Equatable {
    /// The renderings of a report.
    enum Format: String, CaseIterable {
        case text
        case json
    }

    /// When the text report is coloured.
    enum Colour: String, CaseIterable {
        case auto
        case always
        case never
    }

    var paths: [String] = []
    var format = Format.text
    var output: String?
    var keylog: String?
    /// The file with a server's RSA private key.
    var rsaKey: String?
    /// The host to report on; `nil` for all.
    var host: String?
    /// Which packets are analysed.
    var selection = SelectionOptions()
    /// The network interface to capture on, instead of capture files.
    var live = LiveOptions()
    /// The lightest severity that makes the exit status 1; `nil` for `never`.
    var failOn: Severity? = .error
    var colour = Colour.auto
    var showsSecrets = false
    var isQuiet = false
    /// The files of secrets against which captured proofs are held.
    var secrets = SecretFiles()
    /// Whether the text shows each exchange's decoded messages.
    var isVerbose = false

    static let names =
        [
            "--format", "--output", "--keylog", "--rsa-key", "--host", "--fail-on", "--show-secrets", "--color",
            "--quiet", "--verbose", "--help", "--version",
        ] + SecretFiles.names + SelectionOptions.names + LiveOptions.names

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        while let argument = reader.next() {
            switch argument {
            case .word(let path): paths.append(path)
            case .option("--show-secrets", nil): showsSecrets = true
            case .option("--quiet", nil): isQuiet = true
            case .option("--verbose", nil): isVerbose = true
            case .option(let name, let value): try take(name, value, &reader)
            }
        }
        try live.check(paths: paths, keylog: keylog)
    }

    private mutating func take(
        _ name: String,
        _ value: String?,
        _ reader: inout ArgumentReader
    ) throws(UsageError) {
        if try secrets.take(name, value, &reader) { return }
        if try selection.take(name, value, &reader) { return }
        if try live.take(name, value, &reader) { return }
        switch name {
        case "--format": format = try ScanOptions.format(reader.value(of: name, value))
        case "--output": output = try reader.value(of: name, value)
        case "--keylog": keylog = try reader.value(of: name, value)
        case "--rsa-key": rsaKey = try reader.value(of: name, value)
        case "--host": host = try reader.value(of: name, value)
        case "--fail-on": failOn = try ScanOptions.severity(reader.value(of: name, value))
        case "--color": colour = try ScanOptions.colour(reader.value(of: name, value))
        case "--show-secrets", "--quiet", "--verbose": throw UsageError("\(name) takes no value")
        default: throw .unknown("option", name, known: ScanOptions.names)
        }
    }

    /// Reads the value of `--format`.
    static func format(_ word: String) throws(UsageError) -> Format {
        if let format = Format(rawValue: word) { return format }
        let choices = Format.allCases.map(\.rawValue)
        if ["ndjson", "markdown", "html", "sarif"].contains(word) {
            throw UsageError("format '\(word)' is not in this version; there are \(choices.joined(separator: ", "))")
        }
        throw .choice("format", word, choices: choices)
    }

    private static func severity(_ word: String) throws(UsageError) -> Severity? {
        if word == "never" { return nil }
        if let severity = Severity(rawValue: word) { return severity }
        throw .choice("severity", word, choices: ["error", "warning", "note", "never"])
    }

    private static func colour(_ word: String) throws(UsageError) -> Colour {
        if let colour = Colour(rawValue: word) { return colour }
        throw .choice("colour", word, choices: Colour.allCases.map(\.rawValue))
    }
}
