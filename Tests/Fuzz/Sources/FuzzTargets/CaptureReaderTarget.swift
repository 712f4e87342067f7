import AuthScanBytes
import AuthScanWire

extension FuzzTarget {
    /// Any bytes are a capture, or are refused; how the file is cut into reads changes nothing.
    public static let captureReader = FuzzTarget(name: "CaptureReader") { input in
        let whole = read(input, inPiecesOf: max(1, input.count))
        let pieces = read(input, inPiecesOf: 7)
        precondition(whole?.packets == pieces?.packets, "the number of packets depends on the reads")
        precondition(whole?.problems == pieces?.problems, "the problems depend on the reads")
        precondition(
            whole?.transactions.count == pieces?.transactions.count,
            "the number of transactions depends on the reads"
        )
    }

    /// Reads a capture file in pieces; `nil` where it is refused as none.
    static func read(_ file: [UInt8], inPiecesOf size: Int) -> WireCapture? {
        var analysis = CaptureAnalysis(limits: Limits())
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
