public import AuthScanWire

/// Reads packets from an interface until it is told to stop.
///
/// - Parameters:
///   - capture: The interface.
///   - output: Where the packets are kept as a pcap file, readable for its owner alone; `nil` for nowhere.
///   - duration: For how long; `nil` for no limit.
///   - isStopped: Asked several times a second whether to stop.
///   - consume: Called with the bytes of a pcap file, piece by piece.
/// - Returns: What was lost on the way, each kind in one sentence.
/// - Throws: `CaptureError` where the output cannot be written at all, and what `consume` throws.
public func readLive(
    _ capture: LiveCapture,
    keepingIn output: String?,
    for duration: Duration?,
    until isStopped: () -> Bool,
    consume: ([UInt8]) throws(CaptureError) -> Void
) throws(CaptureError) -> [(kind: CaptureProblem.Kind, message: String)] {
    var file: OutputFile?
    if let output { file = try OutputFile(path: output) }
    var losses: [(CaptureProblem.Kind, String)] = []
    var bytes = capture.fileHeader
    let start = ContinuousClock.now
    var isLast = false
    while true {
        if let failure = file?.write(bytes) {
            losses.append((.unwrittenPackets, "the file with the captured packets is cut: \(failure)"))
            file = nil
        }
        try consume(bytes)
        bytes.removeAll(keepingCapacity: true)
        let isOver = isLast
        if !isLast {
            isLast = isStopped() || duration.map { start.duration(to: .now) >= $0 } ?? false
            // What the system has gathered when the time is over comes with one more wait.
            capture.wait()
        }
        do throws(CaptureError) {
            try capture.read(into: &bytes)
        } catch {
            losses.append((.droppedPackets, "the interface gave no more packets: \(error.explanation)"))
            isLast = true
        }
        if isOver && bytes.isEmpty { break }
    }
    if let loss = capture.loss { losses.append((.droppedPackets, loss)) }
    return losses
}
