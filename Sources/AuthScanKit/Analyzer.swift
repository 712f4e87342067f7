public import AuthScanBytes
import AuthScanCaptureIO
import AuthScanDiagnosis
public import AuthScanProof
public import AuthScanReport
import AuthScanSessions
public import AuthScanWire

/// Paths in, report out: the front door of the library.
public struct Analyzer: Sendable {
    private let limits: Limits
    private let secrets: KnownSecrets

    /// Prepares an analysis that keeps within the limits, and holds captured proofs against the secrets.
    public init(limits: Limits = Limits(), secrets: KnownSecrets = KnownSecrets()) {
        self.limits = limits
        self.secrets = secrets
    }

    /// Analyses capture files as one capture, merged by the times of their packets; `-` is standard input.
    ///
    /// A directory stands for the captures in it. A file that cannot be read at all is named among the capture's problems,
    /// and the others are analysed.
    ///
    /// - Parameters:
    ///   - paths: The files and directories.
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
        var files: [String] = []
        var failures: [CaptureError] = []
        for path in paths {
            do throws(CaptureError) { files += try captures(at: path) } catch { failures.append(error) }
        }
        let all = files.count + failures.count
        if let file = files.first, files.count == 1 {
            do throws(CaptureError) {
                try readCapture(path: file, into: &analysis) { progress?(file, $0, $1) }
            } catch {
                failures.append(error)
            }
        } else {
            failures += readCaptures(paths: files, into: &analysis, limits: limits, progress: progress)
        }
        if let first = failures.first, failures.count == all { throw first }
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

    /// Runs the stages behind the packets.
    private func report(on capture: consuming WireCapture) -> Report {
        let sessions = SessionBuilder.build(from: capture, workers: .machine)
        // The sessions hold every transaction from here on; a second copy would only cost memory.
        capture.transactions = []
        capture.kdcRecords = []
        let proofs = ExchangeProver.prove(sessions, tls: capture.tlsConnections, with: secrets)
        let diagnosis = Diagnosis.diagnose(sessions, of: capture, proofs: proofs, limits: limits, workers: .machine)
        return Report(capture: capture, sessions: sessions, diagnosis: diagnosis, proofs: proofs)
    }
}
