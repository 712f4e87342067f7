public import AuthScanBytes
import AuthScanCaptureIO
import AuthScanDiagnosis
public import AuthScanReport
import AuthScanSessions
public import AuthScanWire

/// Paths in, report out: the front door of the library.
public struct Analyzer: Sendable {
    private let limits: Limits

    /// Prepares an analysis that keeps within the limits.
    public init(limits: Limits = Limits()) { self.limits = limits }

    /// Analyses capture files as one capture, in the order given; `-` is standard input.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - remarks: Words for the report about what this run could not do.
    ///   - progress: Called after each block with the path, the bytes read, and the file's size where that is known.
    /// - Returns: The report, and the files that could not be read at all while others could.
    /// - Throws: The first failure, where none of the files could be read.
    public func analyze(
        _ paths: [String],
        remarks: [String] = [],
        progress: ((_ path: String, _ bytesRead: Int, _ size: Int?) -> Void)? = nil
    ) throws(CaptureError) -> (report: Report, failures: [CaptureError]) {
        var analysis = CaptureAnalysis(limits: limits)
        var failures: [CaptureError] = []
        for path in paths {
            do throws(CaptureError) {
                try readCapture(path: path, into: &analysis) { progress?(path, $0, $1) }
            } catch {
                failures.append(error)
            }
        }
        if let first = failures.first, failures.count == paths.count { throw first }
        let capture = analysis.finish()
        return (report(on: capture, remarks), failures)
    }

    /// Runs the stages behind the packets.
    private func report(on capture: WireCapture, _ remarks: [String]) -> Report {
        var capture = capture
        let sessions = SessionBuilder.build(from: capture)
        // The sessions hold every transaction from here on; a second copy would only cost memory.
        capture.transactions = []
        let diagnosis = Diagnosis.diagnose(sessions, of: capture, limits: limits)
        return Report(capture: capture, sessions: sessions, diagnosis: diagnosis, remarks: remarks)
    }
}
