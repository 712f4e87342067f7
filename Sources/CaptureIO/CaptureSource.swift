import AuthScanNativeCodecs
import AuthScanWire

/// The bytes of a capture file, or of standard input for `-`, decompressed where they are compressed.
///
/// gzip, zstd and lz4 are recognised by content.
final class CaptureSource {
    /// What comes next.
    enum Step: Sendable {
        /// Bytes of the capture, and how far the file was read for them.
        case block([UInt8], bytesRead: Int)
        /// The end, and what is wrong with compressed data that ended early.
        case end(damage: String?)
        /// Nothing more can be read.
        case failure(CaptureError)
    }

    let file: CaptureFile
    let compression: CompressionFormat?

    /// What is wrong with the compressed data; `nil` for nothing, or as long as it was not met.
    private(set) var damage: String?

    private let decompressor: (any Decompressor)?
    /// The bytes of the file that were read and not yet handed on.
    private var input: [UInt8] = []
    private var position = 0
    private var isOutputFull = false

    /// Opens a file, and reads its start.
    init(path: String) throws(CaptureError) {
        file = try CaptureFile(path: path)
        try file.read(into: &input)
        compression = CompressionFormat(start: input)
        do throws(DecompressionFailure) {
            decompressor = try compression?.decompressor()
        } catch {
            throw CaptureError(path: path, reason: .unreadable("out of memory"))
        }
    }

    /// The next step; `block` is what was handed out before, and is taken back to be filled again.
    func next(recycling block: inout [UInt8]) -> Step {
        do throws(CaptureError) { try read(into: &block) } catch { return .failure(error) }
        if block.isEmpty { return .end(damage: damage) }
        return .block(exchange(&block, with: []), bytesRead: file.bytesRead)
    }

    /// Replaces `block` by the next bytes of the capture; leaves it empty at the end.
    func read(into block: inout [UInt8]) throws(CaptureError) {
        guard let decompressor else {
            // The first block was read already, and is handed on without a copy.
            guard input.isEmpty else {
                swap(&block, &input)
                input = []
                return
            }
            return try file.read(into: &block)
        }
        block = []
        while block.isEmpty, damage == nil {
            if position == input.count, !isOutputFull {
                try file.read(into: &input)
                position = 0
                if input.isEmpty {
                    if !decompressor.isAtEnd { damage = "the compressed file ends in the middle of its data" }
                    return
                }
            }
            let step = decompressor.step(input, from: position)
            position += step.consumed
            isOutputFull = step.output.count == decompressor.outputSize
            block = Array(step.output)
            note(step.failure)
            // A library that neither takes nor gives anything would be asked for ever.
            if step.consumed == 0, step.output.isEmpty, step.failure == nil, position < input.count {
                note(.damaged("no further data come out"))
            }
        }
    }

    private func note(_ failure: DecompressionFailure?) {
        switch failure {
        case nil: return
        case .damaged(let reason)?: damage = "the compressed data are damaged (\(reason)); the rest is not read"
        case .outOfMemory?: damage = "there is not enough memory to decompress the rest"
        }
    }
}
