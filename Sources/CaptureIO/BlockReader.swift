import Dispatch
import Synchronization

import AuthScanNativeCodecs
import AuthScanWire

/// Reads a capture file block by block.
///
/// What is compressed is decompressed on a thread of its own, a few blocks ahead of who analyses them. Anything else is read when
/// it is asked for: whoever has just filled a block has it in the cache, and reads its packets the faster for it. Blocks that were
/// analysed are filled again, so that a long file costs no more memory than a short one.
final class BlockReader: Sendable {
    /// How the file is compressed; `nil` where it is not.
    let compression: CompressionFormat?

    /// The file's size in bytes; `nil` for pipes and the like.
    let size: Int?

    private struct State {
        var steps: [CaptureSource.Step] = []
        var spare: [[UInt8]] = []
        var isAbandoned = false
    }

    /// The thread's alone, where one runs.
    private let source: Mutex<CaptureSource>
    private let state = Mutex(State())
    private let isFilled = DispatchSemaphore(value: 0)
    /// How many more blocks may be read ahead.
    private let hasRoom = DispatchSemaphore(value: 0)

    private static let blocksAhead = 4

    /// Opens a file, and starts to read where that is done ahead.
    init(path: String) throws(CaptureError) {
        let source = try CaptureSource(path: path)
        compression = source.compression
        size = source.file.size
        self.source = Mutex(source)
        guard compression != nil else { return }
        for _ in 0..<BlockReader.blocksAhead { hasRoom.signal() }
        DispatchQueue(label: "capture file").async { while self.readBlock() {} }
    }

    /// The next step, which is waited for; `block` is what was handed out before, and is taken back to be filled again.
    func next(recycling block: inout [UInt8]) -> CaptureSource.Step {
        guard compression != nil else { return source.withLock { $0.next(recycling: &block) } }
        // Nobody else may hold it then: it would be copied to be written to.
        if !block.isEmpty {
            state.withLock { state in
                state.spare.append([])
                swap(&state.spare[state.spare.count - 1], &block)
            }
        }
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

    /// Reads one block; whether there may be another one.
    private func readBlock() -> Bool {
        hasRoom.wait()
        guard var spare = state.withLock({ $0.isAbandoned ? nil : $0.spare.popLast() ?? [] }) else { return false }
        let step = source.withLock { $0.next(recycling: &spare) }
        state.withLock { $0.steps.append(step) }
        isFilled.signal()
        if case .block = step { return true }
        return false
    }
}
