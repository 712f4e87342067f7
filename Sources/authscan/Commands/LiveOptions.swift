import AuthScanReport

/// The options of capturing on a network interface.
struct LiveOptions: Equatable {
    /// The interface; `nil` where capture files are read.
    var interface: String?
    /// For how long; `nil` for as long as nobody interrupts.
    var duration: Duration?
    /// The file in which the packets are kept.
    var output: String?

    static let names = ["--interface", "--duration", "--write"]

    /// Takes an option, if it is one of these.
    mutating func take(
        _ name: String,
        _ value: String?,
        _ reader: inout ArgumentReader
    ) throws(UsageError) -> Bool {
        switch name {
        case "--interface": interface = try reader.value(of: name, value)
        case "--duration": duration = try LiveOptions.duration(reader.value(of: name, value))
        case "--write": output = try reader.value(of: name, value)
        default: return false
        }
        return true
    }

    private static func duration(_ word: String) throws(UsageError) -> Duration {
        // Half a day more than a year: nobody waits longer, and the sum stays far from any limit.
        guard let seconds = Double(word), seconds > 0, seconds <= 31_536_000 else {
            throw UsageError("--duration '\(PrintableText.visible(word))' is no number of seconds above 0")
        }
        return .seconds(seconds)
    }

    /// Says what does not go together, or is missing.
    func check(paths: [String], keylog: String?) throws(UsageError) {
        guard interface != nil else {
            if duration != nil { throw UsageError("--duration goes with --interface NAME") }
            if output != nil { throw UsageError("--write goes with --interface NAME") }
            if paths.isEmpty { throw UsageError("no capture given; authscan --help shows how") }
            return
        }
        if let path = paths.first {
            throw UsageError("either --interface or capture files, not both: \(PrintableText.visible(path))")
        }
        if output == "-" { throw UsageError("--write needs a file: the report goes to standard output") }
        if keylog != nil, output == nil {
            throw UsageError("--keylog with --interface needs --write FILE: secrets come while packets are captured")
        }
    }
}
