/// The exit statuses that scripts may rely on.
enum ExitStatus: Int32 {
    /// Analysed; no finding at or above `--fail-on`.
    case success = 0
    /// Analysed; at least one finding at or above `--fail-on`.
    case findings = 1
    /// The command line is wrong.
    case usage = 64
    /// No input could be read at all.
    case unreadableInput = 66
    /// A file could not be written, or another trouble of the system.
    case systemError = 70
}
