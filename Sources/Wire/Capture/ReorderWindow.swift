import AuthScanBytes

/// Holds frames back for a moment, so that they go on in the order of their times.
///
/// A program that captures on several interfaces writes what each of them delivers in turn, an answer perhaps before its question.
/// A frame waits until one is seen that is `Limits.reorderNanoseconds` younger, or until too many wait. Frames keep their numbers.
struct ReorderWindow {
    /// A frame and its bytes, which start at 0.
    struct Held {
        var frame: CapturedFrame
        var bytes: [UInt8]
    }

    /// A heap with the oldest frame first.
    private var heap: [Held] = []
    private var newest = Timestamp(nanoseconds: .min)
    private var byteCount = 0
    /// Buffers of frames that went on, to be used again.
    private var buffers: [[UInt8]] = []
    private let limits: Limits

    init(limits: Limits) { self.limits = limits }

    /// Takes a frame that lies in a block.
    mutating func hold(_ frame: CapturedFrame, in block: RawSpan) {
        var held = Held(frame: frame, bytes: buffers.popLast() ?? [])
        held.bytes.removeAll(keepingCapacity: true)
        held.bytes.append(block.extracting(frame.start..<(frame.start + frame.count)))
        held.frame.start = 0
        newest = max(newest, frame.time)
        byteCount += frame.count
        heap.append(held)
        rise(from: heap.count - 1)
    }

    /// The oldest frame, where it need not wait any longer; at the end of a file none waits.
    mutating func next(isEnd: Bool) -> Held? {
        guard let oldest = heap.first else { return nil }
        let age = newest.nanoseconds.subtractingReportingOverflow(oldest.frame.time.nanoseconds)
        let isTooMuch = heap.count > limits.reorderFrames || byteCount > limits.reorderBytes
        guard isEnd || isTooMuch || age.overflow || age.partialValue >= limits.reorderNanoseconds else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink(from: 0)
        byteCount -= oldest.frame.count
        if heap.isEmpty { newest = Timestamp(nanoseconds: .min) }
        return oldest
    }

    /// Takes a buffer back.
    mutating func recycle(_ held: consuming Held) {
        if buffers.count < 1024 { buffers.append(held.bytes) }
    }

    private func isOlder(_ first: Int, _ second: Int) -> Bool {
        (heap[first].frame.time, heap[first].frame.number) < (heap[second].frame.time, heap[second].frame.number)
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, isOlder(index, (index - 1) / 2) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var index = start
        while true {
            var oldest = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && isOlder(child, oldest) {
                oldest = child
            }
            guard oldest != index else { return }
            heap.swapAt(index, oldest)
            index = oldest
        }
    }
}
