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

    /// Analyses capture files as one capture, in the order of their first packets; `-` is standard input.
    ///
    /// Where the time of a file cannot be told beforehand, as with pipes, the files are read in the order given. A file
    /// that cannot be read at all is named among the capture's problems, and the others are analysed.
    ///
    /// - Parameters:
    ///   - paths: The files.
    ///   - keyLog: The path of an NSS key log to decrypt TLS with; `nil` for none.
    ///   - privateKey: The path of a server's RSA private key, PEM or DER, to decrypt old cipher suites with; `nil` for none.
    ///   - progress: Called after each block with the path, the bytes read, and the file's size where that is known.
    /// - Returns: The report on all files that could be read.
    /// - Throws: The first failure, where none of the files could be read; where the key log or key cannot be read, at once.
    public func analyze(
        _ paths: [String],
        keyLog: String? = nil,
        privateKey: String? = nil,
        progress: ((_ path: String, _ bytesRead: Int, _ size: Int?) -> Void)? = nil
    ) throws(CaptureError) -> Report {
        report(on: try read(paths, keyLog, privateKey, progress))
    }

    /// Runs the packet stages; their tables and buffers are gone when it returns.
    private func read(
        _ paths: [String],
        _ keyLog: String?,
        _ privateKey: String?,
        _ progress: ((_ path: String, _ bytesRead: Int, _ size: Int?) -> Void)?
    ) throws(CaptureError) -> WireCapture {
        var analysis = CaptureAnalysis(limits: limits)
        if let keyLog { analysis.use(try readKeyLog(path: keyLog, limits: limits), path: keyLog) }
        if let privateKey, !analysis.use(privateKey: try readPrivateKey(path: privateKey)) {
            throw CaptureError(path: privateKey, reason: .notAPrivateKey)
        }
        var failures: [CaptureError] = []
        for path in inOrderOfTime(paths) {
            do throws(CaptureError) {
                try readCapture(path: path, into: &analysis) { progress?(path, $0, $1) }
            } catch {
                failures.append(error)
            }
        }
        if let first = failures.first, failures.count == paths.count { throw first }
        var capture = analysis.finish()
        capture.problems += failures.map { failure in
            CaptureProblem(
                kind: .unreadableFile,
                file: failure.path,
                packet: nil,
                offset: nil,
                message: failure.explanation
            )
        }
        return capture
    }

    private func inOrderOfTime(_ paths: [String]) -> [String] {
        guard paths.count > 1 else { return paths }
        let timed = paths.compactMap { path in firstTimestamp(of: path).map { (path: path, time: $0) } }
        guard timed.count == paths.count else { return paths }
        return timed.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element.path)
    }

    /// Runs the stages behind the packets.
    private func report(on capture: consuming WireCapture) -> Report {
        let sessions = SessionBuilder.build(from: capture)
        // The sessions hold every transaction from here on; a second copy would only cost memory.
        capture.transactions = []
        let diagnosis = Diagnosis.diagnose(sessions, of: capture, limits: limits)
        return Report(capture: capture, sessions: sessions, diagnosis: diagnosis)
    }
}
