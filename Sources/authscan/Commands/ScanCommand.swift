import AuthScanDiagnosis
import AuthScanKit
import AuthScanReport
import AuthScanWire

/// The main job: `authscan CAPTURE...`.
struct ScanCommand: Equatable {
    enum Format: String, CaseIterable {
        case text
        case json
    }

    enum Colour: String, CaseIterable {
        case auto
        case always
        case never
    }

    var paths: [String] = []
    var format = Format.text
    var output: String?
    var keylog: String?
    /// The lightest severity that makes the exit status 1; `nil` for `never`.
    var failOn: Severity? = .error
    var colour = Colour.auto
    var showsSecrets = false
    var isQuiet = false

    static let options = [
        "--format", "--output", "--keylog", "--fail-on", "--show-secrets", "--color", "--quiet", "--help", "--version",
    ]

    init(_ reader: inout ArgumentReader) throws(UsageError) {
        while let argument = reader.next() {
            switch argument {
            case .word(let path): paths.append(path)
            case .option("--format", let value): format = try choice(reader.value(of: "--format", value), "format")
            case .option("--output", let value): output = try reader.value(of: "--output", value)
            case .option("--keylog", let value): keylog = try reader.value(of: "--keylog", value)
            case .option("--fail-on", let value): try setFailOn(reader.value(of: "--fail-on", value))
            case .option("--color", let value): colour = try choice(reader.value(of: "--color", value), "colour")
            case .option("--show-secrets", nil): showsSecrets = true
            case .option("--quiet", nil): isQuiet = true
            case .option(let name, _): throw .unknown("option", name, known: ScanCommand.options)
            }
        }
        guard !paths.isEmpty else { throw UsageError("no capture given; authscan --help shows how") }
        if let output, paths.contains(output) { throw UsageError("--output would overwrite the capture") }
    }

    private mutating func setFailOn(_ word: String) throws(UsageError) {
        if word == "never" { return failOn = nil }
        let choices = Severity.allCases.map(\.rawValue) + ["never"]
        guard let severity = Severity(rawValue: word) else { throw .unknown("severity", word, known: choices) }
        failOn = severity
    }

    private func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ word: String,
        _ kind: String
    ) throws(UsageError) -> Choice {
        guard let choice = Choice(rawValue: word) else {
            let known = Choice.allCases.map(\.rawValue)
            let error = UsageError.unknown(kind, word, known: known)
            throw UsageError(error.message + " (there are \(known.joined(separator: ", ")))")
        }
        return choice
    }

    /// Analyses, and hands the report to the console.
    func run(_ console: inout some Console) -> ExitStatus {
        do throws(CaptureError) {
            var progress = ProgressLine(isWanted: console.isErrorTerminal && !isQuiet)
            let report = try Analyzer().analyze(paths, remarks: remarks) { path, read, size in
                progress.update(path, read, size)
            }
            progress.clear()
            for problem in report.capture.problems where !isQuiet {
                console.complain("\(problem.file): \(problem.message)")
            }
            guard write(report, to: &console) else { return .systemError }
            guard let failOn, let worst = report.worstSeverity, worst >= failOn else { return .success }
            return .findings
        } catch {
            console.complain(error.description)
            return .unreadableInput
        }
    }

    private var remarks: [String] {
        keylog == nil ? [] : ["this version does not decrypt TLS: the key log was not used"]
    }

    private func write(_ report: Report, to console: inout some Console) -> Bool {
        if isQuiet { return true }
        let isColoured = colour == .always || (colour == .auto && output == nil && console.isColourTerminal)
        let bytes =
            format == .json
            ? JSONReport(secrets: showsSecrets ? .show : .redact).render(report)
            : Array(TextReport(isColoured: isColoured).render(report).utf8)
        guard let output else {
            console.print(bytes)
            return true
        }
        return console.write(bytes, toFile: output)
    }
}
