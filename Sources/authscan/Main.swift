#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif
import AuthScanCaptureIO
import AuthScanReport

@main
struct Main {
    static func main() {
        // A closed pipe shows as a failed write instead of a signal.
        _ = signal(SIGPIPE, SIG_IGN)
        Heap.prepare()
        var console = SystemConsole()
        let status = run(Array(CommandLine.arguments.dropFirst()), &console)
        withExtendedLifetime(console) { exit(status.rawValue) }
    }

    /// Runs the command that the arguments name.
    static func run(_ arguments: [String], _ console: inout some Console) -> ExitStatus {
        do throws(UsageError) {
            return try command(arguments, &console)
        } catch {
            console.complain(error.message)
            return .usage
        }
    }

    private static func command(_ arguments: [String], _ console: inout some Console) throws(UsageError) -> ExitStatus {
        let options = arguments.prefix { $0 != "--" }
        if arguments.isEmpty {
            console.complain("no capture given; authscan --help shows how")
            return .usage
        }
        if options.contains("--help") || options.contains("-h") || arguments == ["help"] {
            return console.print(Help.text(for: arguments[0])) ? .success : .systemError
        }
        if options.first == "--version" {
            return console.print("\(Report.toolName) \(Report.toolVersion)\n") ? .success : .systemError
        }
        var reader = ArgumentReader(Array(arguments.dropFirst()))
        switch arguments[0] {
        case "explain": return try ExplainCommand(&reader).run(&console)
        case "rules": return try RulesCommand(&reader).run(&console)
        case "decode": return try DecodeCommand(&reader).run(&console)
        default:
            var whole = ArgumentReader(arguments)
            return try ScanCommand(&whole).run(&console)
        }
    }
}
