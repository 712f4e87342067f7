public import AuthScanBytes
public import AuthScanCaptureIO
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
    ///   - selection: Which packets are analysed; `nil` for all.
    ///   - progress: Called after each block with the path, the bytes read, and the file's size where that is known.
    /// - Returns: The report on all files that could be read.
    /// - Throws: The first failure, where none of the files could be read; where the key log or key cannot be read, at once.
    public func analyze(
        _ paths: [String],
        keyLog: String? = nil,
        privateKey: String? = nil,
        selection: PacketSelection? = nil,
        progress: ((_ path: String, _ bytesRead: Int, _ size: Int?) -> Void)? = nil
    ) throws(CaptureError) -> Report {
        report(on: try read(paths, with: try prepared(keyLog, privateKey, selection), progress))
    }

    /// Captures on a network interface until it is told to stop, and analyses what came.
    ///
    /// With a key log, which programs write while they talk, everything is read from the output when the capture is over.
    ///
    /// - Parameters:
    ///   - live: The interface.
    ///   - output: Where the packets are kept as a pcap file; `nil` for nowhere.
    ///   - duration: For how long; `nil` for no limit.
    ///   - keyLog: The path of an NSS key log, which needs an output; `nil` for none.
    ///   - privateKey: The path of a server's RSA private key, PEM or DER; `nil` for none.
    ///   - selection: Which packets are analysed; `nil` for all.
    ///   - isStopped: Asked several times a second whether to stop.
    /// - Returns: The report on what was captured.
    /// - Throws: `CaptureError` where the output, the key log or the key cannot be used.
    public func analyze(
        _ live: LiveCapture,
        keepingIn output: String? = nil,
        for duration: Duration? = nil,
        keyLog: String? = nil,
        privateKey: String? = nil,
        selection: PacketSelection? = nil,
        until isStopped: () -> Bool
    ) throws(CaptureError) -> Report {
        if let keyLog, let output {
            let losses = try readLive(live, keepingIn: output, for: duration, until: isStopped) { _ in }
            var capture = try read([output], with: try prepared(keyLog, privateKey, selection), nil)
            capture.problems += losses.map {
                CaptureProblem(kind: $0.kind, file: output, packet: nil, offset: nil, message: $0.message)
            }
            return report(on: capture)
        }
        return report(
            on: try capture(live, output, duration, with: try prepared(keyLog, privateKey, selection), until: isStopped)
        )
    }

    /// Runs the packet stages on what comes in; their tables and buffers are gone when it returns.
    private func capture(
        _ live: LiveCapture,
        _ output: String?,
        _ duration: Duration?,
        with prepared: consuming CaptureAnalysis,
        until isStopped: () -> Bool
    ) throws(CaptureError) -> WireCapture {
        var analysis = consume prepared
        analysis.beginFile(path: output ?? live.interface, compression: nil)
        let losses = try readLive(live, keepingIn: output, for: duration, until: isStopped) {
            (bytes) throws(CaptureError) in
            try analysis.receive(bytes)
        }
        for loss in losses { analysis.note(loss.kind, loss.message) }
        try analysis.endFile()
        return analysis.finish()
    }

    /// An analysis that decrypts with what the user has, and looks at what the user selects.
    private func prepared(
        _ keyLog: String?,
        _ privateKey: String?,
        _ selection: PacketSelection?
    ) throws(CaptureError) -> CaptureAnalysis {
        Heap.useLargePages()
        var analysis = CaptureAnalysis(limits: limits, companion: .machine())
        if let selection { analysis.use(selection) }
        if let keyLog { analysis.use(try readKeyLog(path: keyLog, limits: limits), path: keyLog) }
        if let privateKey, !analysis.use(privateKey: try readPrivateKey(path: privateKey), path: privateKey) {
            throw CaptureError(path: privateKey, reason: .notAPrivateKey)
        }
        return analysis
    }

    /// Runs the packet stages; their tables and buffers are gone when it returns.
    private func read(
        _ paths: [String],
        with prepared: consuming CaptureAnalysis,
        _ progress: ((_ path: String, _ bytesRead: Int, _ size: Int?) -> Void)?
    ) throws(CaptureError) -> WireCapture {
        var analysis = consume prepared
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
        capture.forgetTransactions()
        capture.kdcRecords = []
        let proofs = ExchangeProver.prove(sessions, tls: capture.tlsConnections, with: secrets)
        let diagnosis = Diagnosis.diagnose(sessions, of: capture, proofs: proofs, limits: limits, workers: .machine)
        return Report(
            capture: capture,
            sessions: sessions,
            diagnosis: diagnosis,
            proofs: proofs,
            workers: .machine
        )
    }
}
