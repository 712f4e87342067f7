import AuthScanKit
import AuthScanProof
import AuthScanReport
import AuthScanWire

/// The main job: `authscan CAPTURE...`.
struct ScanCommand: Equatable {
    let options: ScanOptions

    init(_ reader: inout ArgumentReader) throws(UsageError) { options = try ScanOptions(&reader) }

    /// Analyses, and hands the report to the console.
    func run(_ console: inout some Console) throws(UsageError) -> ExitStatus {
        for input in options.paths + options.secrets.paths + [options.keylog, options.rsaKey].compactMap({ $0 }) {
            guard let output = options.output, console.isSameFile(input, output) else { continue }
            throw UsageError("--output would overwrite \(PrintableText.visible(input))")
        }
        if let keylog = options.keylog, !console.canRead(keylog) {
            console.complain("\(keylog): the key log cannot be read")
            return .unreadableInput
        }
        guard let secrets = options.secrets.read(&console) else { return .unreadableInput }
        do throws(CaptureError) {
            return finish(try analyze(secrets, console), &console)
        } catch {
            if let hint = misspelledCommand(error) { throw hint }
            let isBareWord = error.reason == .missing && !error.path.contains { $0 == "/" || $0 == "." }
            console.complain(error.description + (isBareWord ? ", and no such command; see authscan --help" : ""))
            return .unreadableInput
        }
    }

    private func analyze(_ secrets: KnownSecrets, _ console: borrowing some Console) throws(CaptureError) -> Report {
        var progress = ProgressLine()
        let showsProgress = console.isErrorTerminal && !options.isQuiet
        defer { if let text = progress.erasure { SystemConsole.printProgress(text) } }
        let report = try Analyzer(secrets: secrets).analyze(
            options.paths,
            keyLog: options.keylog,
            privateKey: options.rsaKey
        ) { path, read, size in
            guard showsProgress, let text = progress.text(path, read, size, at: .now) else { return }
            SystemConsole.printProgress(text)
        }
        return options.host.map { report.limited(toHost: $0) } ?? report
    }

    private func finish(_ report: Report, _ console: inout some Console) -> ExitStatus {
        console.keep(report)
        for problem in report.capture.problems.prefix(20) where !options.isQuiet {
            console.complain("\(problem.file): \(problem.message)")
        }
        guard options.isQuiet || write(report, to: &console) else { return .systemError }
        guard let failOn = options.failOn, let worst = report.worstSeverity, worst >= failOn else { return .success }
        return .findings
    }

    private func write(_ report: Report, to console: inout some Console) -> Bool {
        let isTerminal = options.output == nil && console.isColourTerminal
        let isColoured = options.colour == .always || (options.colour == .auto && isTerminal)
        let bytes =
            options.format == .json
            ? JSONReport(secrets: options.showsSecrets ? .show : .redact).render(report)
            : Array(TextReport(isColoured: isColoured, isVerbose: options.isVerbose).render(report).utf8)
        guard let output = options.output else { return console.print(bytes) }
        return console.write(bytes, toFile: output)
    }

    /// The first word may be a command with a slip of the pen rather than a file that is missing.
    private func misspelledCommand(_ error: CaptureError) -> UsageError? {
        guard error.reason == .missing, error.path == options.paths[0],
            let command = nearest(to: error.path, among: Help.commands)
        else { return nil }
        return UsageError(
            "'\(PrintableText.visible(error.path))' is no command (did you mean \(command)?), and there is no such file"
        )
    }
}
