import Dispatch
import Synchronization

import AuthScanNativeCodecs
import AuthScanWire

/// Reads and decompresses a capture file on a thread of its own, a few blocks ahead of who analyses them.
///
/// Blocks that were analysed are filled again, so that a long file costs no more memory than a short one.
final class ReadAhead: Sendable {
    /// What comes next.
    enum Step: Sendable {
        /// Bytes of the capture, and how far the file was read for them.
        case block([UInt8], bytesRead: Int)
        /// The end, and what is wrong with compressed data that ended early.
        case end(damage: String?)
        /// Nothing more can be read.
        case failure(CaptureError)
    }

    /// What is known of the file before its first block.
    struct Opening: Sendable {
        let compression: CompressionFormat?
        let size: Int?
    }

    private struct State {
        var opening: Result<Opening, CaptureError>?
        var steps: [Step] = []
        var spare: [[UInt8]] = []
        var isAbandoned = false
    }

    private let state = Mutex(State())
    private let isFilled = DispatchSemaphore(value: 0)
    /// How many more blocks may be read ahead.
    private let hasRoom = DispatchSemaphore(value: 0)

    private static let blocksAhead = 4

    /// Starts to read.
    init(path: String) {
        for _ in 0..<ReadAhead.blocksAhead { hasRoom.signal() }
        DispatchQueue(label: "capture file").async { self.read(path) }
    }

    /// What is known of the file; throws where it cannot be opened.
    func opening() throws(CaptureError) -> Opening {
        isFilled.wait()
        // The thread sets it before it signals for the first time.
        guard let opening = state.withLock({ $0.opening }) else { return Opening(compression: nil, size: nil) }
        return try opening.get()
    }

    /// The next step, which is waited for; `block` is what was handed out before, to be filled again.
    func next(recycling block: consuming [UInt8]) -> Step {
        let recycled = block
        if !recycled.isEmpty { state.withLock { $0.spare.append(recycled) } }
        isFilled.wait()
        let step = state.withLock { $0.steps.removeFirst() }
        hasRoom.signal()
        return step
    }

    /// Lets the thread end before the file does.
    func abandon() {
        state.withLock { $0.isAbandoned = true }
        hasRoom.signal()
    }

    private func read(_ path: String) {
        let source: CaptureSource
        do throws(CaptureError) {
            source = try CaptureSource(path: path)
        } catch {
            state.withLock { $0.opening = .failure(error) }
            isFilled.signal()
            return
        }
        let opening = Opening(compression: source.compression, size: source.file.size)
        state.withLock { $0.opening = .success(opening) }
        isFilled.signal()
        while read(source) {}
    }

    /// Reads one block; whether there may be another one.
    private func read(_ source: CaptureSource) -> Bool {
        hasRoom.wait()
        guard var block = state.withLock({ $0.isAbandoned ? nil : $0.spare.popLast() ?? [] }) else { return false }
        let step: Step
        do throws(CaptureError) {
            try source.read(into: &block)
            step = block.isEmpty ? .end(damage: source.damage) : .block(block, bytesRead: source.file.bytesRead)
        } catch {
            step = .failure(error)
        }
        state.withLock { $0.steps.append(step) }
        isFilled.signal()
        if case .block = step { return true }
        return false
    }
}
