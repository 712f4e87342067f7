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
        var waiting: [Batch] = []
        /// Batches that were read, whose memory is used again.
        var spare: [Batch] = []
    }

    private let assembler: Mutex<TransactionAssembler>
    private let queue = Mutex(Queue())
    private let companion: Companion

    init(limits: Limits, companion: Companion) {
        assembler = Mutex(TransactionAssembler(limits: limits))
        self.companion = companion
    }

    /// Hands a batch over, to be read when its turn comes; returns one to be filled, whose block may be written to.
    func exchange(_ batch: consuming Batch) -> Batch {
        queue.withLock { [batch] in $0.waiting.append(batch) }
        companion.perform { self.readNext() }
        return queue.withLock { $0.spare.popLast() } ?? Batch()
    }

    private func readNext() {
        var batch = queue.withLock { $0.waiting.removeFirst() }
        withBytes(of: batch.block) { block in assembler.withLock { $0.receive(batch.output, in: block) } }
        batch.output.removeAll()
        queue.withLock { [batch] in $0.spare.append(batch) }
    }

    /// Reads chunks that lie in a block at once, behind all that was handed over before.
    func read(_ output: borrowing StreamOutput, in block: RawSpan) {
        companion.finish()
        assembler.withLock { $0.receive(output, in: block) }
    }

    /// Hands the assembler to `body`, behind all that was handed over before.
    func withAssembler<Result>(_ body: (inout TransactionAssembler) -> sending Result) -> sending Result {
        companion.finish()
        return assembler.withLock { body(&$0) }
    }
}
