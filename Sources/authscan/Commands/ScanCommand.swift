import AuthScanCaptureIO
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
        try guardInputs(console)
        let filter = try options.selection.filter()
        if let keylog = options.keylog, !console.canRead(keylog) {
            let reason = fault(ofKeyFile: keylog).map { ": \($0.explanation)" } ?? ""
            console.complain("\(keylog): the key log cannot be read\(reason)")
            return .unreadableInput
        }
        guard let secrets = options.secrets.read(&console) else { return .unreadableInput }
        do throws(CaptureError) {
            var report: Report
            if let interface = options.live.interface {
                report = try capture(interface, filter, secrets, console)
            } else {
                report = try analyze(filter, secrets, console)
            }
            if let host = options.host { report = report.limited(toHost: host) }
            return finish(report, &console)
        } catch {
            if let hint = misspelledCommand(error) { throw hint }
            let isBareWord =
                options.live.interface == nil && error.reason == .missing
                && !error.path.contains { $0 == "/" || $0 == "." }
            console.complain(error.description + (isBareWord ? ", and no such command; see authscan --help" : ""))
            if case .unwritable = error.reason { return .systemError }
            return .unreadableInput
        }
    }

    /// What is written never takes the place of what is read.
    private func guardInputs(_ console: some Console) throws(UsageError) {
        let files = [options.keylog, options.rsaKey].compactMap { $0 }
        for input in options.paths + options.secrets.paths + files {
            for (name, output) in [("--output", options.output), ("--write", options.live.output)] {
                guard let output, console.isSameFile(input, output) else { continue }
                throw UsageError("\(name) would overwrite \(PrintableText.visible(input))")
            }
        }
        if let report = options.output, let packets = options.live.output {
            guard report == packets || console.isSameFile(report, packets) else { return }
            throw UsageError("--output and --write name the same file")
        }
    }

    private func analyze(
        _ filter: CaptureFilter?,
        _ secrets: KnownSecrets,
        _ console: borrowing some Console
    ) throws(CaptureError) -> Report {
        var progress = ProgressLine()
        let showsProgress = console.isErrorTerminal && !options.isQuiet
        defer { if let text = progress.erasure { SystemConsole.printProgress(text) } }
        return try Analyzer(secrets: secrets).analyze(
            options.paths,
            keyLog: options.keylog,
            privateKey: options.rsaKey,
            selection: options.selection.selection(filter)
        ) { path, read, size in
            guard showsProgress, let text = progress.text(path, read, size, at: .now) else { return }
            SystemConsole.printProgress(text)
        }
    }

    private func capture(
        _ interface: String,
        _ filter: CaptureFilter?,
        _ secrets: KnownSecrets,
        _ console: borrowing some Console
    ) throws(CaptureError) -> Report {
        let live = try LiveCapture(interface: interface, filter: filter)
        if console.isErrorTerminal, !options.isQuiet {
            let end = options.live.duration == nil ? "Ctrl-C ends it, and the report follows" : "the report follows"
            SystemConsole.printProgress("capturing on \(PrintableText.visible(interface)); \(end)\n")
        }
        return try Interruption.whileNoted { (isStopped) throws(CaptureError) in
            try Analyzer(secrets: secrets).analyze(
                live,
                keepingIn: options.live.output,
                for: options.live.duration,
                keyLog: options.keylog,
                privateKey: options.rsaKey,
                selection: options.selection.selection(filter),
                until: isStopped
            )
        }
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
        let render = { (write: ([UInt8]) -> Bool) in
            if options.format == .json {
                let renderer = JSONReport(secrets: options.showsSecrets ? .show : .redact)
                renderer.render(report, workers: .machine, to: write)
            } else {
                let renderer = TextReport(isColoured: isColoured, isVerbose: options.isVerbose)
                _ = write(Array(renderer.render(report).utf8))
            }
        }
        guard let output = options.output else { return console.print(pieces: render) }
        return console.write(toFile: output, pieces: render)
    }

    /// The first word may be a command with a slip of the pen rather than a file that is missing.
    private func misspelledCommand(_ error: CaptureError) -> UsageError? {
        guard error.reason == .missing, error.path == options.paths.first,
            let command = nearest(to: error.path, among: Help.commands)
        else { return nil }
        return UsageError(
            "'\(PrintableText.visible(error.path))' is no command (did you mean \(command)?), and there is no such file"
        )
    }
}
