import AuthScanBytes
import Synchronization

/// The message side of the packet stages: takes what the packet side makes of one block after the other, beside it or at once.
///
/// The two share nothing while they run: what the messages tell of connections goes into their summaries at the end.
final class MessageStage: Sendable {
    /// What a block of packets brought: chunks that lie in the block, or in buffers of the output.
    struct Batch: Sendable {
        var output = StreamOutput()
        var block: [UInt8] = []
    }

    private struct Queue {
        /// Batches that are handed over once there are enough of them.
        var gathered: [Batch] = []
        /// What was handed over and not read yet.
        var waiting: [[Batch]] = []
        /// Batches that were read, whose memory is used again.
        var spare: [Batch] = []
        /// Buffers for field lines, made by the packet side: it waits for the other one more often than the other way round.
        var fieldBuffers: [[UInt8]] = []
        /// Whether anything was handed over since it was last waited for.
        var isInUse = false
    }

    /// How many batches are handed over together: to wake the companion for each would cost more than the batch.
    private static let batchesTogether = 4
    /// How many buffers for field lines lie ready.
    private static let buffersReady = 2

    private let assembler: Mutex<TransactionAssembler>
    private let queue = Mutex(Queue())
    private let companion: Companion

    init(limits: Limits, companion: Companion) {
        assembler = Mutex(TransactionAssembler(limits: limits))
        self.companion = companion
    }

    /// Hands a batch over, to be read when its turn comes; returns one to be filled, whose block may be written to.
    func exchange(_ batch: consuming Batch) -> Batch {
        let count = queue.withLock { [batch] in
            $0.gathered.append(batch)
            return $0.gathered.count
        }
        if count >= MessageStage.batchesTogether {
            prepareBuffers()
            handOver()
        }
        return queue.withLock { $0.spare.popLast() } ?? Batch()
    }

    private func prepareBuffers() {
        let missing = MessageStage.buffersReady - queue.withLock { $0.fieldBuffers.count }
        for _ in 0..<max(0, missing) {
            let buffer = FieldArena.emptyBuffer()
            queue.withLock { $0.fieldBuffers.append(buffer) }
        }
    }

    private func supplyBuffers() {
        let wanted = assembler.withLock { $0.parser.wantedBuffers }
        guard wanted > 0 else { return }
        let buffers = queue.withLock { queue in
            defer { queue.fieldBuffers.removeLast(min(wanted, queue.fieldBuffers.count)) }
            return Array(queue.fieldBuffers.suffix(wanted))
        }
        assembler.withLock { $0.parser.supply(buffers) }
    }

    private func handOver() {
        queue.withLock { queue in
            queue.waiting.append(Swift.exchange(&queue.gathered, with: []))
            queue.isInUse = true
        }
        companion.perform { self.readNext() }
    }

    private func readNext() {
        var batches = queue.withLock { $0.waiting.removeFirst() }
        supplyBuffers()
        for index in batches.indices {
            withBytes(of: batches[index].block) { block in
                assembler.withLock { $0.receive(batches[index].output, in: block) }
            }
            batches[index].output.removeAll()
        }
        queue.withLock { queue in
            while let batch = batches.popLast() { queue.spare.append(batch) }
        }
    }

    /// Has all of it read that was handed over before.
    private func finish() {
        if queue.withLock({ !$0.gathered.isEmpty }) { handOver() }
        let isInUse = queue.withLock { queue in
            defer { queue.isInUse = false }
            return queue.isInUse
        }
        if isInUse { companion.finish() }
    }

    /// Reads chunks that lie in a block at once, behind all that was handed over before.
    func read(_ output: borrowing StreamOutput, in block: RawSpan) {
        finish()
        assembler.withLock { $0.receive(output, in: block) }
    }

    /// Hands the assembler to `body`, behind all that was handed over before.
    func withAssembler<Result>(_ body: (inout TransactionAssembler) -> sending Result) -> sending Result {
        finish()
        return assembler.withLock { body(&$0) }
    }
}
