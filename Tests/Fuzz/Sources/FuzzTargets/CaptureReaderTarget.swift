import AuthScanBytes
import AuthScanDiagnosis
import AuthScanReport
import AuthScanSessions
import AuthScanWire

extension FuzzTarget {
    /// Any bytes are a capture, or are refused; how the file is cut into reads changes nothing.
    public static let captureReader = FuzzTarget(name: "CaptureReader") { input in
        let whole = read(input, inPiecesOf: max(1, input.count))
        let pieces = read(input, inPiecesOf: 7)
        precondition(whole?.packets == pieces?.packets, "the number of packets depends on the reads")
        precondition(whole?.problems == pieces?.problems, "the problems depend on the reads")
        precondition(whole?.limitsExceeded == pieces?.limitsExceeded, "what is left out depends on the reads")
        precondition(
            whole?.transactions.map(Exchange.init) == pieces?.transactions.map(Exchange.init),
            "the transactions depend on the reads"
        )
        precondition(
            whole?.kdcRecords.map(\.bytes) == pieces?.kdcRecords.map(\.bytes),
            "the messages of key distribution centers depend on the reads"
        )
        guard let whole, !whole.kdcRecords.isEmpty else { return }
        let sessions = SessionBuilder.build(from: whole)
        let diagnosis = Diagnosis.diagnose(sessions, of: whole)
        for finding in diagnosis.findings {
            precondition(finding.packets.allSatisfy((1...whole.packets).contains), "a finding lies outside the capture")
        }
        let report = Report(capture: whole, sessions: sessions, diagnosis: diagnosis)
        precondition(!JSONReport(secrets: .redact).render(report).isEmpty, "a report without content")
    }

    /// Reads a capture file in pieces; `nil` where it is refused as none.
    static func read(_ file: [UInt8], inPiecesOf size: Int) -> WireCapture? {
        var analysis = CaptureAnalysis(limits: .narrow)
        analysis.beginFile(path: "input", compression: nil)
        do {
            for start in stride(from: 0, to: file.count, by: size) {
                let piece = Array(file[start..<min(start + size, file.count)])
                try analysis.receive(piece)
            }
            try analysis.endFile()
        } catch {
            return nil
        }
        return analysis.finish()
    }
}

/// What two readings of one transaction must agree on.
private struct Exchange: Equatable {
    let places: [MessageEvidence?]
    let words: [String?]
    let sizes: [Int?]

    init(_ transaction: HTTPTransaction) {
        let (request, response) = (transaction.request, transaction.response)
        places = [request?.evidence, response?.evidence]
        words = [request?.method, request?.target, request?.version, response?.version, transaction.tunnel]
        sizes = [
            transaction.number, transaction.connection, response?.status, request?.bodyBytes, response?.bodyBytes,
            request?.fields.count, response?.fields.count,
        ]
    }
}

extension Limits {
    /// Limits that an input of a few thousand bytes can meet.
    ///
    /// They also keep the tables small: what is reserved for an ordinary capture costs a run some hundred times what
    /// reading its input does, where each allocation is watched.
    fileprivate static let narrow: Limits = {
        var limits = Limits()
        limits.recordBytes = 1 << 14
        limits.headBytes = 1 << 12
        limits.fieldValueBytes = 1 << 10
        limits.pendingBytesPerConnection = 1 << 10
        limits.pendingBytes = 1 << 11
        limits.connections = 16
        limits.transactions = 32
        limits.pipelineDepth = 8
        limits.kdcMessages = 16
        limits.kdcMessageBytes = 1 << 10
        limits.kdcBytes = 1 << 11
        return limits
    }()
}
